import { lstatSync } from 'node:fs'
import { mkdtemp, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../domain/problem.ts'
import { removeFolder } from './remove-folder.ts'

/** A new folder for a while. What a process that was killed left of this kind is cleared away by the next one that makes one. */
export async function scratchFolder(parent: string, prefix: string): Promise<string> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  const abandoned = names.filter((name) => !isRunning(Number.parseInt(name.slice(prefix.length), 10)) && isOwn(join(parent, name)))
  await Promise.all(abandoned.map((name) => removeFolder(join(parent, name)).catch(() => undefined))) // one that stays hinders nobody
  return realpath(await mkdtemp(join(parent, `${prefix}${process.pid}-`)))
}

/** In a folder that accounts share another one could swap what is being removed for a link to files of ours. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
