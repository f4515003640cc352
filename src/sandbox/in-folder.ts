import { constants } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Problem } from '../domain/problem.ts'
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
  let held = await openFolder(root, root)
  let path = root
  try {
    for (const name of relative(root, folder).split('/').filter(Boolean)) {
      path = join(path, name)
      const next = join(place(held, join(path, '..')), name)
      if (make) await mkdir(next).catch(unlessThere)
      const opened = await openFolder(next, path)
      await held.close()
      held = opened
    }
    const base = place(held, path)
    return await work((name) => join(base, name))
  } finally {
    await held.close()
  }
}

/** What the kernel calls the open folder; only Linux lets a path start there. */
function place(held: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${held.fd}` : path
}

async function openFolder(path: string, named: string): Promise<FileHandle> {
  return open(path, asFolder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw new Problem('not_found', `the folder ${named} does not exist`, { cause })
    throw new Problem('denied', `the folder ${named} was swapped for something else; nothing was touched`, { cause })
  })
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
