import { closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Problem, systemCode } from '../../domain/problem.ts'
import { isInside } from './inside.ts'
import { pathOfText } from './path-text.ts'

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Works in a folder that was checked to lie inside its root, and holds it open meanwhile: the way there is walked one name at a
 * time without following links, so swapping a folder for a link at any moment leads to a refusal or to nothing. `make` makes
 * the folders that are missing. `at` gives the path of a name in the folder; it holds only while `work` runs.
 */
export async function inFolder<Result>(
  root: string,
  folder: string,
  work: (at: (name: string) => string) => Promise<Result>,
  make = false,
): Promise<Result> {
  if (!isInside(root, folder)) throw new Problem('denied', `the folder ${folder} is outside the workspace ${root}`)
  const held = holdFolder(root, relative(root, folder).split('/').filter(Boolean), make)
  try {
    return await work((name) => join(held.path, name))
  } finally {
    closeSync(held.fd)
  }
}

/** A folder that is open. `path` leads there while it is, wherever it was moved. */
export interface HeldFolder {
  fd: number
  path: string
}

/** Opens a folder inside its root, one name at a time; names are texts of `textOfName`. Who asks closes it. */
export function holdFolder(root: string, names: readonly string[], make = false): HeldFolder {
  let held = { fd: openFolder(root, root), path: root }
  try {
    held.path = place(held.fd, root)
    for (const [at, name] of names.entries()) {
      const next = pathOfText(`${held.path}/${name}`)
      if (make) makeFolder(next)
      const named = [root, ...names.slice(0, at + 1)].join('/')
      const fd = openFolder(next, named)
      closeSync(held.fd)
      held = { fd, path: place(fd, named) }
    }
    return held
  } catch (error) {
    closeSync(held.fd)
    throw error
  }
}

/** What the kernel calls the open folder; only Linux lets a path start there. */
function place(held: number, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${held}` : path
}

function openFolder(path: string | Buffer, named: string): number {
  try {
    return openSync(path, asFolder)
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') throw new Problem('not_found', `the folder ${named} does not exist`, { cause })
    throw new Problem('denied', `the folder ${named} was swapped for something else; nothing was touched`, { cause })
  }
}

/** Makes a folder unless something is there. */
function makeFolder(path: string | Buffer): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
