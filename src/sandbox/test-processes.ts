import { readFileSync, readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The processes of this machine, other than this one, whose command line holds a text; a NUL stands between two words of it. */
export async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))) // gone between the listing and the look
  return ids.filter((_, at) => lines[at]?.includes(text))
}

/** The processes that a process has started and that have not been waited for. */
export function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number))
}
