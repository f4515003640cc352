import { closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Problem, systemCode } from '../../domain/problem.ts'
import { isInside } from './inside.ts'

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
  if (!isInside(root, folder)) throw new Problem('denied', `the folder ${folder} lies outside the workspace ${root}`)
  let held = openFolder(root, root)
  let path = root
  try {
    for (const name of relative(root, folder).split('/').filter(Boolean)) {
      path = join(path, name)
      const next = join(place(held, join(path, '..')), name)
      if (make) makeFolder(next)
      const opened = openFolder(next, path)
      closeSync(held)
      held = opened
    }
    const base = place(held, path)
    return await work((name) => join(base, name))
  } finally {
    closeSync(held)
  }
}

/** What the kernel calls the open folder; only Linux lets a path start there. */
function place(held: number, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${held}` : path
}

function openFolder(path: string, named: string): number {
  try {
    return openSync(path, asFolder)
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') throw new Problem('not_found', `the folder ${named} does not exist`, { cause })
    throw new Problem('denied', `the folder ${named} was swapped for something else; nothing was touched`, { cause })
  }
}

/** Makes a folder unless something is there. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
