import { mkdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readPlainText } from './files/plain-text.ts'
import { findProgram } from './process/program.ts'
import { writeWhole } from './files/write-whole.ts'

/** Settings of the kernel that decide who may build a sandbox. */
const settings = [
  '/proc/sys/kernel/random/boot_id',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
  '/proc/sys/user/max_user_namespaces',
]

/**
 * Whether the programs were found to hold before, and nothing that this rests on has changed since.
 * It says yes or no about one kind of sandbox and names none, so that whoever forges it gets at most a command that cannot start.
 */
export function recallsProbe(file: string, programs: readonly string[]): boolean {
  return readPlainText(file) === circumstances(programs)
}

/** Notes that the programs were found to hold. A note that cannot be kept costs another try at the next start. */
export async function rememberProbe(file: string, programs: readonly string[]): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    await writeWhole(file, circumstances(programs))
  } catch {
    return
  }
}

/** This start of the machine, its settings, who we are and in which container, and the very files of the programs. */
function circumstances(programs: readonly string[]): string {
  return JSON.stringify([
    settings.map(readPlainText),
    [process.getuid?.(), namespace('user'), namespace('mnt')],
    programs.map((name) => identity(findProgram(name))),
  ])
}

function identity(path: string | null): string {
  if (path === null) return 'missing'
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [path, dev, ino, size, mode, mtimeNs, ctimeNs].join(' ')
}

function namespace(name: 'user' | 'mnt'): string {
  try {
    return readlinkSync(`/proc/self/ns/${name}`)
  } catch {
    return ''
  }
}
