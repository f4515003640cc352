import { readdir, readFile } from 'node:fs/promises'

/** Kills a process as a crash would: alone, or together with everything it has started. Gives back how many died. */
export async function killProcess(pid: number): Promise<number> {
  const all = Math.random() < 0.5 ? [pid] : [pid, ...(await descendantsOf(pid))]
  return all.filter((one) => kill(one)).length
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false // it ended by itself
  }
}

async function descendantsOf(pid: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(names.map(async (name) => ({ child: Number(name), parent: await parentOf(name) })))
  const below = (one: number): number[] => parents.filter(({ parent }) => parent === one).flatMap(({ child }) => [child, ...below(child)])
  return below(pid)
}

async function parentOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') // gone between the listing and the look
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}
