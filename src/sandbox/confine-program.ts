import { accessSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'

/** The small program that loads a filter and becomes the command: open, and whether the kernel would start it from where it lies. */
export interface ConfineProgram {
  descriptor: number
  isExecutable: boolean
}

const folder = join(import.meta.dirname, '../../native')
const opened = new Map<string, ConfineProgram>()

/**
 * The program for an architecture. It is passed on open, because its place may be hidden from commands. Where it lost the right to be
 * executed, or lies on a file system that gives it to none, a sandbox starts a copy.
 */
export function confineProgram(architecture: string, place = folder): ConfineProgram {
  const path = join(place, `linux-${architecture}`, 'confine')
  const known = opened.get(path)
  if (known !== undefined) return known
  try {
    const program = { descriptor: openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW), isExecutable: mayExecute(path) }
    opened.set(path, program)
    return program
  } catch (cause) {
    throw new Problem('sandbox_missing', `${path} is missing, so no filter can be loaded for commands; install Troupe again`, { cause })
  }
}

function mayExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
