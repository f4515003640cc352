import { mkdtemp, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../domain/problem.ts'
import { removeFolder } from './remove-folder.ts'

/** A new folder for a while. What a process that was killed left of this kind is cleared away by the next one that makes one. */
export async function scratchFolder(parent: string, prefix: string): Promise<string> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  const abandoned = names.filter((name) => !isRunning(Number.parseInt(name.slice(prefix.length), 10)))
  await Promise.all(abandoned.map((name) => removeFolder(join(parent, name)).catch(() => undefined))) // of another account, or a full disk: it hinders nobody
  return realpath(await mkdtemp(join(parent, `${prefix}${process.pid}-`)))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
