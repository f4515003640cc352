import { join } from 'node:path'
import { gitFoldersIn } from './git/folders.ts'
import { guardGit } from './git/guard.ts'
import { gitFolderOf } from './git/mounts.ts'
import { realOf } from './git/place.ts'
import { disarm } from './git/settings.ts'
import { isInside } from './files/inside.ts'
import type { Command, CommandResult } from './sandbox.ts'

/** What a command is run with that may change git folders: those in its workspace beside its own, and when to stop it. */
export interface Guarded {
  nested: readonly string[]
  stop: AbortSignal
}

/** Runs what may change git folders, stops it when it plants something there, and puts that right, however it ended. */
export async function withGitGuarded(command: Command, run: (guarded: Guarded) => Promise<CommandResult>): Promise<CommandResult> {
  const { access, mounts = [] } = command
  const root = realOf(command.root) ?? command.root
  const more = mounts.filter((mount) => mount.access === 'change').flatMap(({ path }) => gitFolderOf(path) ?? [])
  const own = access === 'change' ? gitFolderOf(root) : null
  const found = access === 'change' ? await gitFoldersIn(root) : []
  const nested = beside(own, found)
  const stopping = new AbortController()
  const guards = [...(own === null ? [] : [own]), ...nested, ...more].map((folder) => guardGit(folder, () => stopping.abort()))
  const finish = async () => {
    const planted = (await Promise.all(guards.map((guard) => guard.end()))).flat()
    const made = access === 'change' ? (await gitFoldersIn(root)).filter((folder) => isNew(folder, found)) : []
    return [...planted.map(removed), ...(await Promise.all(made.map(disarm))).flat().map(disarmed)]
  }
  const result = await run({ nested, stop: stopping.signal }).catch(async (error: unknown) => {
    await finish()
    throw error
  })
  const notices = await finish()
  const ended = stopping.signal.aborted && result.ended === 'stopped' ? 'killed' : result.ended
  return { ...result, ended, stderr: result.stderr + [...(ended === result.ended ? [] : [STOPPED]), ...notices].join('') }
}

/** The git folders in a workspace beside its own. */
export async function nestedGitFolders(workspace: string): Promise<string[]> {
  const root = realOf(workspace) ?? workspace
  return beside(gitFolderOf(root), await gitFoldersIn(root))
}

function beside(own: string | null, found: readonly string[]): string[] {
  return found.filter((folder) => folder !== own && !found.some((other) => other !== folder && isInside(other, folder)))
}

/** Records of worktrees and submodules are out of a command's reach: a new one was made by someone else. */
function isNew(folder: string, before: readonly string[]): boolean {
  const beyond = before.flatMap((known) => ['worktrees', 'modules'].map((name) => join(known, name)))
  return !before.includes(folder) && !beyond.some((place) => isInside(place, folder))
}

const STOPPED =
  '\nsandbox: stopped, because the settings of the git repository were about to be replaced, by this command or by someone else\n'

function removed(path: string): string {
  return `\nsandbox: ${path} was removed or put back; a command may not redirect git to another configuration\n`
}

function disarmed(path: string): string {
  return `\nsandbox: ${path} would start programs and was set aside as ${path}.set-aside; only you may put it back\n`
}
