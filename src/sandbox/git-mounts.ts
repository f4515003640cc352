import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { removeFolder } from './remove-folder.ts'
import type { Mount } from './view.ts'

/** Files that redirect git to another configuration. What is not there cannot be covered by a mount, so it is removed afterwards. */
const redirects = ['commondir', 'config.worktree']

/**
 * Keeps a command that may change a repository from planting what git would later run outside the sandbox.
 * Each folder is a mount of its own, because a folder that merely holds mounts can be renamed and replaced.
 * A repository that the command makes by itself, or one deeper in the workspace, is not covered.
 */
export function gitMounts(folder: string): Mount[] {
  const gitFolder = gitFolderOf(folder)
  if (gitFolder !== null) return protectedFolder(gitFolder)
  const dotGit = join(folder, '.git')
  return kindOf(dotGit) === 'file' ? [{ path: dotGit, as: 'read' }] : []
}

/** Removes what a command planted in the git folder of a workspace; call it before the command for the way to do so after. */
export function plantedIn(folder: string): () => Promise<string[]> {
  const gitFolder = gitFolderOf(folder)
  if (gitFolder === null) return async () => []
  refuseRedirected(gitFolder)
  const places = [gitFolder, ...worktreesOf(gitFolder)]
  const absent = places.flatMap((place) => redirects.map((name) => join(place, name))).filter((path) => kindOf(path) === 'none')
  const modes = [folder, ...places].map((path) => ({ path, mode: modeOf(path) }))
  return async () => {
    // A command may close a folder behind it, so that we could neither see nor remove what it put there.
    for (const { path, mode } of modes) setMode(path, mode | 0o700)
    const planted = absent.filter((path) => kindOf(path) !== 'none')
    for (const path of planted) await removeFolder(path)
    for (const { path, mode } of modes.toReversed()) setMode(path, mode)
    return planted
  }
}

/** Git never makes one there: it was left by a command whose end we did not live to see, and would be followed by everyone's git. */
function refuseRedirected(gitFolder: string): void {
  const path = join(gitFolder, 'commondir')
  if (kindOf(path) === 'none') return
  const message = `${path} leads git to the settings of another repository; remove it, then commands can run here again`
  throw new Problem('denied', message, { details: { path } })
}

function modeOf(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o7777
}

function setMode(path: string, mode: number): void {
  if (kindOf(path) === 'folder' && modeOf(path) !== mode) chmodSync(path, mode)
}

function protectedFolder(gitFolder: string): Mount[] {
  const config = join(gitFolder, 'config')
  const hooks = join(gitFolder, 'hooks')
  if (kindOf(hooks) === 'none') mkdirSync(hooks)
  // A link cannot be covered by a mount, only what it names: where one stands, nothing in the git folder may change.
  if (kindOf(config) !== 'file' || kindOf(hooks) !== 'folder') return [{ path: gitFolder, as: 'read' }]
  const worktrees = join(gitFolder, 'worktrees')
  const folders = [gitFolder, worktrees, ...worktreesOf(gitFolder)].filter((path) => kindOf(path) === 'folder')
  const fixed = [
    config,
    hooks,
    join(gitFolder, 'modules'),
    ...folders.flatMap((path) => [...redirects, 'gitdir'].map((name) => join(path, name))),
  ]
  return [
    ...folders.map((path) => ({ path, as: 'change' as const })),
    ...fixed.filter((path) => kindOf(path) !== 'none').map((path) => ({ path, as: 'read' as const })),
  ]
}

function worktreesOf(gitFolder: string): string[] {
  const worktrees = join(gitFolder, 'worktrees')
  return kindOf(worktrees) === 'folder' ? readdirSync(worktrees).map((name) => join(worktrees, name)) : []
}

/** The git folder that a folder holds or is; null where there is none, or only a file that names one elsewhere. */
function gitFolderOf(folder: string): string | null {
  const dotGit = join(folder, '.git')
  if (kindOf(dotGit) === 'folder') return dotGit // whatever is in it: a command may have emptied it to fill it anew
  const has = (name: string) => kindOf(join(folder, name)) !== 'none'
  return (has('HEAD') && has('objects')) || (has('config') && has('hooks')) ? folder : null
}

function kindOf(path: string): 'none' | 'file' | 'folder' | 'link' {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return 'none' // most often; an error for it would take ten times as long
    if (stat.isSymbolicLink()) return 'link'
    return stat.isDirectory() ? 'folder' : 'file'
  } catch {
    return 'none'
  }
}
