import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from './view.ts'

/** Submodules keep their git folders in `modules`, under names that may have slashes. */
const MODULE_DEPTH = 4

/**
 * Keeps a command that may change a repository from planting what git would later run outside the sandbox.
 * The git folder is a mount of its own, because a folder that merely holds mounts can be renamed and replaced.
 */
export function gitMounts(folder: string): Mount[] {
  const dotGit = join(folder, '.git')
  if (isGitFolder(folder)) return protectedFolder(folder)
  if (isGitFolder(dotGit)) return protectedFolder(dotGit)
  return kindOf(dotGit) === 'file' ? [{ path: dotGit, as: 'read' }] : []
}

function protectedFolder(gitFolder: string): Mount[] {
  const config = join(gitFolder, 'config')
  const hooks = join(gitFolder, 'hooks')
  if (kindOf(hooks) === 'none') mkdirSync(hooks)
  // A link cannot be covered by a mount, only what it names: where one stands, nothing in the git folder may change.
  if (kindOf(config) !== 'file' || kindOf(hooks) !== 'folder') return [{ path: gitFolder, as: 'read' }]
  return [
    { path: gitFolder, as: 'change' },
    { path: config, as: 'read' },
    { path: hooks, as: 'read' },
    ...['config.worktree', 'commondir'].flatMap((name) =>
      kindOf(join(gitFolder, name)) === 'file' ? [{ path: join(gitFolder, name), as: 'read' as const }] : [],
    ),
    ...moduleFolders(join(gitFolder, 'modules'), MODULE_DEPTH).flatMap(protectedFolder),
  ]
}

function moduleFolders(folder: string, depth: number): string[] {
  if (depth === 0 || kindOf(folder) !== 'folder') return []
  if (isGitFolder(folder)) return [folder]
  return readdirSync(folder).flatMap((name) => moduleFolders(join(folder, name), depth - 1))
}

function isGitFolder(folder: string): boolean {
  return kindOf(join(folder, 'HEAD')) !== 'none' && kindOf(join(folder, 'objects')) === 'folder' && kindOf(folder) === 'folder'
}

function kindOf(path: string): 'none' | 'file' | 'folder' | 'link' {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 'none'
  if (stat.isSymbolicLink()) return 'link'
  return stat.isDirectory() ? 'folder' : 'file'
}
