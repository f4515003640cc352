// Synchronous, as in path.ts: opening takes microseconds, and the fewer others run between the check and the proof, the better.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFile,
  readFileSync,
  readlinkSync,
  realpathSync,
  unlinkSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { Problem, systemCode } from '../../domain/problem.ts'
import { type InsidePath, type PathOptions, resolveInside } from './path.ts'

/** `read` an existing file, or `create` one that must not be there yet. */
export type OpenFor = 'read' | 'create'

// A named pipe would let us wait for ever, so nothing is waited for; a link put in the last place is refused by the kernel.
const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK

const flags: Readonly<Record<OpenFor, number>> = {
  read: safely | constants.O_RDONLY,
  create: safely | constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
}

/** Opens a file inside its root, and proves after opening that no folder on the way was swapped for a link meanwhile. Who asks closes it. */
export async function openInside(
  root: string,
  path: string,
  how: OpenFor,
  options: Omit<PathOptions, 'use'> = {},
): Promise<InsidePath & { fd: number }> {
  const inside = await resolveInside(root, path, { ...options, use: how === 'read' ? 'read' : 'write' })
  const fd = openFile(inside.path, path, how)
  try {
    refuseOther(fd, inside, path, how)
    return { ...inside, exists: true, fd }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Larger files are read in the background; smaller ones at once, which takes less time than to hear of the end of it. */
const AT_ONCE_BYTES = 200_000

/** All that is in an open file. */
export async function readWhole(fd: number): Promise<Buffer> {
  return fstatSync(fd).size > AT_ONCE_BYTES ? readInBackground(fd) : readFileSync(fd)
}

const readInBackground = promisify(readFile)

function openFile(path: string, asked: string, how: OpenFor): number {
  try {
    return openSync(path, flags[how])
  } catch (cause) {
    throw openProblem(asked, how, cause)
  }
}

function refuseOther(fd: number, inside: InsidePath, asked: string, how: OpenFor): void {
  const opened = fstatSync(fd)
  if (!opened.isFile()) throw new Problem('bad_input', `${asked} is not a file; only ordinary files are opened`)
  const at = openedPath(fd, inside.path)
  const now = lstatSync(inside.path, { throwIfNoEntry: false })
  if (at === inside.path && now?.ino === opened.ino && now.dev === opened.dev) return
  if (how === 'create' && opened.size === 0) removeMisplaced(at)
  throw swapped(asked)
}

/** Made in the wrong place: it must not stay. */
function removeMisplaced(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // somebody was faster
  }
}

/** Where the open file really lies: the kernel knows on Linux; elsewhere the path is resolved again. */
function openedPath(fd: number, path: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${fd}`) : realpathSync.native(path)
}

function openProblem(path: string, how: OpenFor, cause: unknown): Problem {
  const code = systemCode(cause)
  if (code === 'ENOENT') return new Problem('not_found', `${path} does not exist`, { cause })
  if (code === 'EEXIST') return new Problem('conflict', `${path} exists already; creating a file never replaces one`, { cause })
  if (code === 'ELOOP') return swapped(path, cause)
  if (code === 'EISDIR') return new Problem('bad_input', `${path} is a folder; only ordinary files are opened`, { cause })
  return new Problem('internal', `${path} could not be opened to ${how} it: ${String(code)}`, { cause })
}

function swapped(path: string, cause?: unknown): Problem {
  return new Problem('denied', `the path ${JSON.stringify(path)} led elsewhere while it was opened`, {
    cause,
    details: { path, rule: 'swapped' },
  })
}
