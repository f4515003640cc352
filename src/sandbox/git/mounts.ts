import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { kindOf } from '../files/kind-of.ts'
import { looksLikeRepository, namesIn } from './repository-shape.ts'
import type { Mount } from '../view.ts'

/** Files that lead git to another configuration. What is not there cannot be covered by a mount: `guardGit` sees to these. */
export const redirects = ['commondir', 'config.worktree']

/** Folders that git makes when they are first needed. An empty one says nothing, and can be covered. */
const covered = ['hooks', 'modules', 'worktrees']

/** Where old versions of git looked for the addresses of remotes. */
export const oldRemotes = ['branches', 'remotes']

/**
 * Keeps a command that may change a repository from planting what git would later run outside the sandbox. Git renames files into
 * place beside its settings, so the folder itself stays writable and each dangerous name in it is covered. Each folder is a mount of
 * its own, because a folder that merely holds mounts can be renamed and replaced.
 */
export function gitMounts(folder: string): Mount[] {
  const gitFolder = gitFolderOf(folder)
  if (gitFolder !== null) return protectedFolder(gitFolder)
  const dotGit = join(folder, '.git')
  return kindOf(dotGit) === 'file' ? [{ path: dotGit, as: 'read' }] : []
}

/** The same for a git folder itself. */
export function protectedFolder(gitFolder: string): Mount[] {
  const fixed = fixedIn(gitFolder)
  // A link cannot be covered by a mount, only what it names: where one stands, nothing in the git folder may change.
  if (fixed === null) return [{ path: gitFolder, as: 'read' }]
  const folders = [gitFolder, join(gitFolder, 'objects'), join(gitFolder, 'refs'), ...worktreesOf(gitFolder)]
  return [
    ...folders.filter((path) => kindOf(path) === 'folder').map((path) => ({ path, as: 'change' as const })),
    ...fixed.map((path) => ({ path, as: 'read' as const })),
  ]
}

/** What no command may change in a git folder, after making the folders that can be covered only when they are there; null where a link stands for one. */
export function fixedIn(gitFolder: string): string[] | null {
  const config = join(gitFolder, 'config')
  const folders = covered.map((name) => join(gitFolder, name))
  for (const path of folders) if (kindOf(path) === 'none') makeFolder(path)
  if (kindOf(config) !== 'file' || folders.some((path) => kindOf(path) !== 'folder')) return null
  const others = [
    ...oldRemotes.map((name) => join(gitFolder, name)),
    ...[gitFolder, ...worktreesOf(gitFolder)].flatMap((path) => [...redirects, 'gitdir'].map((name) => join(path, name))),
  ]
  return [config, ...folders, ...others.filter((path) => kindOf(path) !== 'none')]
}

/** The records that a git folder keeps of its worktrees. */
export function worktreesOf(gitFolder: string): string[] {
  const worktrees = join(gitFolder, 'worktrees')
  return kindOf(worktrees) === 'folder' ? readdirSync(worktrees).map((name) => join(worktrees, name)) : []
}

/** The git folder that a folder holds or is; null where there is none, or only a file that names one elsewhere. */
export function gitFolderOf(folder: string): string | null {
  const dotGit = join(folder, '.git')
  if (kindOf(dotGit) === 'folder') return dotGit // whatever is in it: a command may have emptied it to fill it again
  const names = namesIn(folder)
  return looksLikeRepository(names) || (names.has('config') && names.has('hooks')) ? folder : null
}

/** In a folder that is closed to us nothing can be made, and a command may not either. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch {
    return
  }
}
