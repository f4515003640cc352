import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { mkdtemp, readdir, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../../domain/problem.ts'
import { removeFolder } from './remove-folder.ts'

/** Nothing is at work for so long. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1_000

/** A new folder for a while. What a process that was killed left of this kind is cleared away by the next one that makes one. */
export async function scratchFolder(parent: string, prefix: string): Promise<string> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  const abandoned = names.filter((name) => isAbandoned(name.slice(prefix.length), join(parent, name)))
  await Promise.all(abandoned.map((name) => removeFolder(join(parent, name)).catch(() => undefined))) // one that stays hinders nobody
  return realpath(await mkdtemp(join(parent, `${prefix}${process.pid}-${whereabouts()}-`)))
}

/** In a folder that accounts share another one could swap what is being removed for a link to files of ours. */
function isAbandoned(maker: string, path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) return false
  const [pid = '', where] = maker.split('-')
  return where === whereabouts() ? !isRunning(Number.parseInt(pid, 10)) : Date.now() - found.mtimeMs > FORGOTTEN_MS
}

/** Among which processes a number means one of ours: those of this machine, or of this container. */
function whereabouts(): string {
  const processes = existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : ''
  return createHash('sha256').update(`${hostname()} ${processes}`).digest('hex').slice(0, 8)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
