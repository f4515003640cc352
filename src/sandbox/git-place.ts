import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { isInside } from './inside.ts'
import { textOf } from './plain-text.ts'

/** The repository of a workspace: the folder its files are checked out in, and where its records lie. */
export interface GitPlace {
  top: string
  gitDir: string
  commonDir: string
}

/**
 * The repository a workspace belongs to, or null where there is none. Git itself would follow a `.git` file anywhere, so that
 * whoever may write one could read any repository on the machine through it; here the other side must name this checkout too.
 */
export function gitPlace(root: string): GitPlace | null {
  for (let top = realpathSync.native(root); ; top = dirname(top)) {
    const dotGit = join(top, '.git')
    const kind = lstatSync(dotGit, { throwIfNoEntry: false })
    if (kind?.isDirectory() && textOf(join(dotGit, 'commondir')) === '') return { top, gitDir: dotGit, commonDir: dotGit }
    if (kind !== undefined) return linkedPlace(top, dotGit)
    if (top === '/') return null
  }
}

/** The same, and null also where there is a repository that cannot be told or does not know this checkout. */
export function knownGitPlace(root: string): GitPlace | null {
  try {
    return gitPlace(root)
  } catch {
    return null // git says what is wrong with it
  }
}

function linkedPlace(top: string, dotGit: string): GitPlace {
  const named = /^gitdir: (.+)$/m.exec(textOf(dotGit))?.[1]
  const gitDir = realOf(named === undefined ? dotGit : resolve(top, named))
  const commonDir = gitDir === null ? null : realOf(resolve(gitDir, textOf(join(gitDir, 'commondir')).trim()))
  if (gitDir !== null && gitDir === commonDir && isInside(top, gitDir)) return { top, gitDir, commonDir }
  if (gitDir !== null && commonDir !== null && namesBack(gitDir, commonDir, top)) return { top, gitDir, commonDir }
  throw new Problem(
    'denied',
    `${dotGit} names a repository elsewhere that does not know this checkout; git worktree repair would mend a moved one`,
  )
}

/** A worktree is named by its entry in the repository, a submodule by the settings of its git folder. */
function namesBack(gitDir: string, commonDir: string, top: string): boolean {
  const worktree = textOf(join(gitDir, 'gitdir')).trim()
  if (worktree !== '') return isInside(join(commonDir, 'worktrees'), gitDir) && realOf(dirname(worktree)) === top
  const submodule = /^\s*worktree = "?(.+?)"?$/m.exec(textOf(join(gitDir, 'config')))?.[1]
  return submodule !== undefined && gitDir === commonDir && realOf(resolve(gitDir, submodule)) === top
}

/** Where a path leads; null where there is nothing. */
export function realOf(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
