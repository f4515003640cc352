import { lstatSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isInside } from '../files/inside.ts'

/** Every way in which the names in a folder make git take the folder itself for a repository and run what its `config` says. */
const shapes = [
  ['HEAD', 'objects', 'refs'],
  ['HEAD', 'commondir'], // the other two are then looked for elsewhere
]

/** Whether git takes a folder for a repository, by the names in it. */
export function looksLikeRepository(names: { has(name: string): boolean }): boolean {
  return shapes.some((shape) => shape.every((name) => names.has(name)))
}

/** The names in a folder, asked for one by one. */
export function namesIn(folder: string): { has(name: string): boolean } {
  return { has: (name) => isThere(join(folder, name)) }
}

/**
 * The folder, from `root` down, that is a repository or becomes one when something is created at `path`; null where there is none.
 * A `.git` in it is not needed for that: `HEAD`, `objects` and `refs` in any folder are enough.
 */
export function shapesRepository(root: string, path: string): string | null {
  for (let folder = dirname(path); isInside(root, folder); folder = dirname(folder)) {
    const [added = ''] = relative(folder, path).split('/')
    const names = namesIn(folder)
    if (looksLikeRepository({ has: (name) => isSame(name, added) || names.has(name) })) return folder
    if (folder === '/') return null
  }
  return null
}

/** Some file systems do not tell upper case from lower. */
function isSame(name: string, added: string): boolean {
  return added.toLowerCase() === name.toLowerCase()
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // no folder, or closed to us
  }
}
