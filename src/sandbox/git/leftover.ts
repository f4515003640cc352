import { constants } from 'node:fs'
import { lstat, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { knownGitPlace, realOf } from './place.ts'
import { isInside } from '../files/inside.ts'

/** Git holds a lock for moments. One that is older was left behind by a git that was killed, and would keep everyone out for ever. */
export const STALE_MS = 10_000

/**
 * The file of another git that this one stopped at; null where it failed of anything else. Only a file in the git folder of this
 * very repository: what git says quotes the names of files and the words of a remote, and those may say anything.
 */
export function leftoverOf(root: string, args: readonly string[], stderr: string): string | null {
  const named = lockIn(stderr) ?? halfWritten(args, stderr)
  const commonDir = named === undefined ? undefined : knownGitPlace(root)?.commonDir
  if (named === undefined || commonDir === undefined) return null
  const folder = realOf(dirname(resolve(root, named)))
  return folder !== null && isInside(commonDir, folder) ? join(folder, basename(named)) : null
}

/** Takes a leftover out of the way; false while it may still be in use. */
export async function clearStale(file: string): Promise<boolean> {
  if (isPersonsIndex(file)) return false
  const found = await lstat(file).catch(() => null) // given back meanwhile
  if (found === null || !found.isFile() || Date.now() - found.mtimeMs < STALE_MS) return false
  if (file.endsWith('.lock')) await rm(file, { force: true })
  else if (found.size === 0) await writeFile(file, '../..\n', { flag: constants.O_WRONLY | constants.O_NOFOLLOW }) // as git was about to
  return true
}

function lockIn(stderr: string): string | undefined {
  return /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1]
}

/**
 * Git looks at all worktrees before it lists or removes one, and dies of a record that another git has begun and not yet filled.
 * One that was to make a branch first may have made it: what it says is left to its caller.
 */
function halfWritten(args: readonly string[], stderr: string): string | undefined {
  const file = /failed to read (.+\/worktrees\/[^/]+\/commondir)/.exec(stderr)?.[1]
  return args.includes('-b') ? undefined : file
}

/** A person's own index is held for as long as their editor is open, and is not ours to free. */
function isPersonsIndex(file: string): boolean {
  return basename(file) === 'index.lock' && basename(dirname(dirname(file))) !== 'worktrees'
}
