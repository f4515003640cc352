import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gitPlace, type GitPlace } from './git-place.ts'
import { isInside } from './inside.ts'
import type { Mount } from './view.ts'

const INSTALLED = 'node_modules'

/**
 * What was installed for the project of a worktree, which has nothing of it: to read, where Node looks for it, in a folder above.
 * Beside a worktree there is room for it only in a folder that is hidden: the rest of the machine is as it is.
 */
export function installedFor(root: string, hidden: readonly string[]): Mount[] {
  const project = projectOf(root)
  const installed = project === null ? null : folderIn(project)
  if (project === null || installed === null) return []
  if (isInside(project, root)) return [{ path: installed, as: 'read' }]
  const beside = join(dirname(root), INSTALLED)
  return hidden.some((folder) => isInside(folder, beside)) ? [{ path: beside, as: 'read', from: installed }] : []
}

/** The checkout of the same repository that a worktree lies in, else the one it was made from; null for anything but a worktree. */
function projectOf(root: string): string | null {
  const own = placeOf(root)
  if (own === null || own.top !== root || own.gitDir === own.commonDir) return null
  const around = placeOf(dirname(root))
  if (around?.commonDir === own.commonDir) return around.top
  return basename(own.commonDir) === '.git' ? dirname(own.commonDir) : null
}

/** A worktree that its repository does not know gets nothing of it. */
function placeOf(folder: string): GitPlace | null {
  try {
    return gitPlace(folder)
  } catch {
    return null
  }
}

/** Not a link: a repository could hold one to its own top, and with it everything would be seen that lies in the user's checkout. */
function folderIn(project: string): string | null {
  const path = join(project, INSTALLED)
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : null
}
