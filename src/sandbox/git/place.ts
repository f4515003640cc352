import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { isInside } from '../files/inside.ts'
import { readPlainText } from '../files/plain-text.ts'

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
    const place = placeAt(top)
    if (place !== null || top === '/') return place
  }
}

/** The repository whose files are checked out in just this folder, to which no link leads. */
function placeAt(top: string): GitPlace | null {
  const named = gitFolders(top)
  if (named === null) return null
  const [gitDir, commonDir] = [realOf(named.gitDir), realOf(named.commonDir)]
  if (gitDir !== null && gitDir === commonDir && isInside(top, gitDir)) return { top, gitDir, commonDir }
  if (gitDir !== null && commonDir !== null && namesBack(gitDir, commonDir, top)) return { top, gitDir, commonDir }
  throw new Problem(
    'denied',
    `${join(top, '.git')} names a repository elsewhere that does not know this checkout; git worktree repair fixes one that moved`,
  )
}

/** Where the `.git` of a folder leads, by the very paths that git follows; that the other side knows of it is not said. */
function gitFolders(top: string): Pick<GitPlace, 'gitDir' | 'commonDir'> | null {
  const dotGit = join(top, '.git')
  const kind = lstatSync(dotGit, { throwIfNoEntry: false })
  if (kind === undefined) return null
  const named = kind.isDirectory() ? undefined : /^gitdir: (.+)[\r\n]*$/.exec(readPlainText(dotGit))?.[1]
  const gitDir = named === undefined ? dotGit : from(top, named)
  const common = readPlainText(`${gitDir}/commondir`).replace(/[\r\n]+$/, '')
  return { gitDir, commonDir: common === '' ? gitDir : from(gitDir, common) }
}

/** The folder the `.git` of a folder leads to; null where there is none. */
export function gitDirOf(top: string): string | null {
  return realOf(gitFolders(top)?.gitDir ?? '')
}

/**
 * The same where it is certain that git goes there too and reads what we read: it takes the folder for a repository, no name is
 * garbled, and no link is on the way; one through `/proc/self` leads each process elsewhere.
 */
export function plainGitFolders(top: string): Pick<GitPlace, 'gitDir' | 'commonDir'> | null {
  const folders = gitFolders(top)
  if (folders === null) return null
  const { gitDir, commonDir } = folders
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(readPlainText(`${gitDir}/HEAD`))) return null
  if (!['objects', 'refs'].every((name) => existsSync(`${commonDir}/${name}`))) return null
  const isAbove = commonDir === gitDir || commonDir === `${gitDir}/../..` // as git writes it; above what is plain all is
  if (!isPlain(gitDir) || !(isAbove || isPlain(commonDir))) return null
  const isLink = [`${top}/.git`, `${gitDir}/commondir`].some((file) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
  return isLink ? null : folders
}

function isPlain(path: string): boolean {
  return !path.includes('\ufffd') && realOf(path) === resolve(path)
}

/** Not resolved here: up from a link, the system is elsewhere than its text says. */
function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`
}

/** The same, and null also where there is a repository that cannot be told or does not know this checkout. */
export function knownGitPlace(root: string): GitPlace | null {
  try {
    return gitPlace(root)
  } catch {
    return null // git says what is wrong with it
  }
}

/** The same where the folder is itself the top of its checkout: only there is it certain that git finds the same repository. */
export function placeAtTop(root: string): GitPlace | null {
  try {
    return placeAt(realpathSync.native(root))
  } catch {
    return null
  }
}

/** A worktree is named by its entry in the repository, a submodule by the settings of its git folder. */
function namesBack(gitDir: string, commonDir: string, top: string): boolean {
  const worktree = readPlainText(join(gitDir, 'gitdir')).trim()
  if (worktree !== '') return isInside(join(commonDir, 'worktrees'), gitDir) && realOf(dirname(worktree)) === top
  const submodule = /^\s*worktree = "?(.+?)"?$/m.exec(readPlainText(join(gitDir, 'config')))?.[1]
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
