import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { knownGitPlace } from './git/place.ts'
import { isInside } from './files/inside.ts'
import type { Mount } from './view.ts'

const INSTALLED = 'node_modules'

/** The checkout a worktree was made from, and where both keep their records. */
export interface Project {
  folder: string
  gitFolder: string
}

/** The checkout of the same repository that a worktree is in, else the one it was made from; null for anything but a worktree. */
export function projectOfWorktree(root: string): Project | null {
  const own = knownGitPlace(root) // one that its repository does not know gets nothing of it
  if (own === null || own.top !== root || own.gitDir === own.commonDir) return null
  const gitFolder = own.commonDir
  const around = knownGitPlace(dirname(root))
  if (around?.commonDir === gitFolder) return { folder: around.top, gitFolder }
  return basename(gitFolder) === '.git' ? { folder: dirname(gitFolder), gitFolder } : null
}

/**
 * What was installed for the project of a worktree, which has nothing of it: to read, where Node looks for it, in a folder above.
 * Beside a worktree there is room for it only in a folder that is hidden: the rest of the machine is as it is.
 */
export function installedFor({ folder }: Project, root: string, hidden: readonly string[]): Mount[] {
  const installed = folderIn(folder)
  if (installed === null) return []
  if (isInside(folder, root)) return [{ path: installed, as: 'read' }]
  const beside = join(dirname(root), INSTALLED)
  return hidden.some((path) => isInside(path, beside)) ? [{ path: beside, as: 'read', from: installed }] : []
}

/**
 * Packages of the project itself are links in its node_modules, as those of a workspace are. They lead to the worktree's own: a
 * test that got those of the user's checkout would judge other code than it is asked about. Links and no mounts: what is in a
 * worktree may be a link of an agent's, to anywhere.
 */
export function ownPackages({ folder }: Project, root: string, installed: readonly Mount[]): Mount[] {
  const links = installed.flatMap(({ path, from = path }) =>
    linksIn(from).flatMap((name): Mount[] => {
      const to = readlinkSync(join(from, name))
      const place = relative(folder, resolve(dirname(join(from, name)), to))
      if (place === '' || /^(\.\.|node_modules)(\/|$)/.test(place)) return []
      return [{ path: resolve(dirname(join(path, name)), to), as: 'link', from: join(root, place) }]
    }),
  )
  return outermost(links)
}

/** Without those that lie in another: what is behind a link is not ours to make links in. */
function outermost(links: readonly Mount[]): Mount[] {
  const places = new Set(links.map(({ path }) => path))
  const isWithin = (path: string): boolean => path !== '/' && (places.has(path) || isWithin(dirname(path)))
  return links.filter(({ path }) => !isWithin(dirname(path)))
}

/** Names of links in a folder and in its scopes. */
function linksIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const scopes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('@'))
  const scoped = scopes.flatMap(({ name }) =>
    linkNames(readdirSync(join(folder, name), { withFileTypes: true })).map((link) => join(name, link)),
  )
  return [...linkNames(entries), ...scoped]
}

function linkNames(entries: readonly Dirent[]): string[] {
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
}

/** Not a link: a repository could hold one to its own top, and with it everything would be seen that is in the user's checkout. */
function folderIn(project: string): string | null {
  const path = join(project, INSTALLED)
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : null
}
