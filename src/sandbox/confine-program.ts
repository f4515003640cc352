import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'

const folder = join(import.meta.dirname, '../../native')
const copies = new Map<string, string>()

/** Whether there is a program for this processor at all. */
export function hasConfineProgram(architecture: string): boolean {
  return existsSync(pathOf(architecture, folder))
}

/** The small program that builds a sandbox. Where it lost the right to be executed, or is on a file system that gives it to none, a copy of it. */
export function confineProgram(architecture: string, place = folder): string {
  const path = pathOf(architecture, place)
  if (mayExecute(path)) return path
  const known = copies.get(path)
  if (known !== undefined) return known
  try {
    const copy = executableCopy(path)
    copies.set(path, copy)
    return copy
  } catch (cause) {
    throw new Problem('sandbox_missing', `${path} is missing, so no sandbox can be built; install Troupe again`, { cause })
  }
}

function pathOf(architecture: string, place: string): string {
  return join(place, `linux-${architecture}`, 'confine')
}

function executableCopy(path: string): string {
  const own = mkdtempSync(join(tmpdir(), 'troupe-confine-'))
  process.once('exit', () => rmSync(own, { recursive: true, force: true }))
  const copy = join(own, 'confine')
  copyFileSync(path, copy)
  chmodSync(copy, 0o700)
  return copy
}

function mayExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
