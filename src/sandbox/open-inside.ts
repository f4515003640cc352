import { constants, fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { Problem, systemCode } from '../domain/problem.ts'
import { type InsidePath, type PathOptions, resolveInside } from './path.ts'

/** `read` an existing file, or `create` one that must not be there yet. */
export type OpenFor = 'read' | 'create'

// A named pipe would let us wait for ever, so nothing is waited for; a link put in the last place is refused by the kernel.
const safely = constants.O_NOFOLLOW | constants.O_NONBLOCK

const flags: Readonly<Record<OpenFor, number>> = {
  read: safely | constants.O_RDONLY,
  create: safely | constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
}

/** Opens a file inside its root, and proves after opening that no folder on the way was swapped for a link meanwhile. */
export async function openInside(
  root: string,
  path: string,
  how: OpenFor,
  options: Omit<PathOptions, 'use'> = {},
): Promise<InsidePath & { file: FileHandle }> {
  const inside = await resolveInside(root, path, { ...options, use: how === 'read' ? 'read' : 'write' })
  const file = await open(inside.path, flags[how]).catch((cause: unknown) => {
    throw openProblem(path, how, cause)
  })
  try {
    await refuseOther(file, inside, path, how)
    return { ...inside, exists: true, file }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function refuseOther(file: FileHandle, inside: InsidePath, asked: string, how: OpenFor): Promise<void> {
  const opened = fstatSync(file.fd)
  if (!opened.isFile()) throw new Problem('bad_input', `${asked} is not a file; only ordinary files are opened`)
  const at = openedPath(file, inside.path)
  const now = lstatSync(inside.path, { throwIfNoEntry: false })
  if (at === inside.path && now?.ino === opened.ino && now.dev === opened.dev) return
  if (how === 'create' && opened.size === 0) await unlink(at).catch(() => undefined) // made in the wrong place: it must not stay
  throw new Problem('denied', `the path ${JSON.stringify(asked)} led elsewhere while it was opened`, {
    details: { path: asked, rule: 'swapped' },
  })
}

/** Where the open file really lies: the kernel knows on Linux; elsewhere the path is resolved again. */
function openedPath(file: FileHandle, path: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${file.fd}`) : realpathSync.native(path)
}

function openProblem(path: string, how: OpenFor, cause: unknown): Problem {
  const code = systemCode(cause)
  if (code === 'ENOENT') return new Problem('not_found', `${path} does not exist`, { cause })
  if (code === 'EEXIST') return new Problem('conflict', `${path} exists already; creating a file never replaces one`, { cause })
  if (code === 'ELOOP')
    return new Problem('denied', `the path ${JSON.stringify(path)} led elsewhere while it was opened`, {
      cause,
      details: { path, rule: 'swapped' },
    })
  if (code === 'EISDIR') return new Problem('bad_input', `${path} is a folder; only ordinary files are opened`, { cause })
  return new Problem('internal', `${path} could not be opened to ${how} it: ${String(code)}`, { cause })
}
