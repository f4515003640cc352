import { mkdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readPlainText } from './files/plain-text.ts'
import { writeWhole } from './files/write-whole.ts'

/** Settings of the kernel that decide who may build a sandbox. */
const settings = [
  '/proc/sys/kernel/random/boot_id',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
  '/proc/sys/user/max_user_namespaces',
]

/**
 * Whether a program was found to build a sandbox that holds, and nothing that this rests on has changed since.
 * It says yes or no about one program, so that whoever forges it gets at most a command that cannot start.
 */
export function recallsProbe(file: string, program: string): boolean {
  return readPlainText(file) === circumstances(program)
}

/** Notes that what a program builds was found to hold. A note that cannot be kept costs another try at the next start. */
export async function rememberProbe(file: string, program: string): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    await writeWhole(file, circumstances(program))
  } catch {
    return
  }
}

/** This start of the machine, its settings, who we are and in which container, and the very file of the program. */
function circumstances(program: string): string {
  return JSON.stringify([settings.map(readPlainText), [process.getuid?.(), namespace('user'), namespace('mnt')], identity(program)])
}

function identity(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return 'missing'
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = found
  return [path, dev, ino, size, mode, mtimeNs, ctimeNs].join(' ')
}

function namespace(name: 'user' | 'mnt'): string {
  try {
    return readlinkSync(`/proc/self/ns/${name}`)
  } catch {
    return ''
  }
}
