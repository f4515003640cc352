import { type Dirent, type FSWatcher, accessSync, chmodSync, constants, lstatSync, readdirSync, readlinkSync, watch } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { fixedIn, oldRemotes, redirects, worktreesOf } from './mounts.ts'
import { riskySettings, setAside } from './settings.ts'
import { kindOf } from '../files/kind-of.ts'
import { readPlainText } from '../files/plain-text.ts'
import { removeFolder } from '../files/remove-folder.ts'

/** What watches over one git folder while a command runs that may change it. */
export interface GitGuard {
  /** Puts right what the command did to the folder, and says what that was. */
  end(): Promise<string[]>
}

/** What a git folder was like before the command. */
interface Before {
  absent: readonly string[]
  covers: ReadonlyMap<string, string>
  modes: readonly { path: string; mode: number }[]
  head: string
  settings: string
  links: ReadonlySet<string>
}

/**
 * Git renames files into place beside its settings, so a command can make names there that no mount covers, and a person's git can
 * take away a cover by putting a new file in its place. `stop` is called as soon as either is seen.
 */
export function guardGit(gitFolder: string, stop: () => void): GitGuard {
  refuseRedirected(gitFolder)
  const before: Before = {
    absent: [gitFolder, ...worktreesOf(gitFolder)].flatMap(absentIn),
    covers: new Map((fixedIn(gitFolder) ?? []).map((path) => [path, markOf(path)])),
    modes: [dirname(gitFolder), gitFolder, ...inUse(gitFolder), ...worktreesOf(gitFolder)].map((path) => ({ path, mode: modeOf(path) })),
    head: headOf(gitFolder),
    settings: readPlainText(join(gitFolder, 'config')),
    links: new Set(linksIn(gitFolder)),
  }
  const look = () => {
    if (isWrong(gitFolder, before)) stop()
  }
  const watchers = [gitFolder, dirname(gitFolder)].flatMap((folder) => watching(folder, look))
  return {
    end: async () => {
      for (const watcher of watchers) watcher.close()
      return putRight(gitFolder, before)
    },
  }
}

function isWrong(gitFolder: string, { absent, covers, head }: Before): boolean {
  if (absent.some((path) => kindOf(path) !== 'none')) return true
  if ([...covers].some(([path, mark]) => markOf(path) !== mark)) return true
  return head !== '' && (headOf(gitFolder) === '' || !inUse(gitFolder).every(isOpen)) // git would take the folder around it for a repository
}

async function putRight(gitFolder: string, before: Before): Promise<string[]> {
  // A command may close a folder behind it, so that we could neither see nor remove what it put there.
  for (const { path, mode } of before.modes) setMode(path, mode | 0o700)
  const planted = [
    ...before.absent.filter((path) => kindOf(path) !== 'none'),
    ...linksIn(gitFolder).filter((path) => !before.links.has(path)),
  ]
  for (const path of planted) await removeFolder(path)
  const [head, settings] = ['HEAD', 'config'].map((name) => join(gitFolder, name)) as [string, string]
  if (before.head !== '' && headOf(gitFolder) === '') {
    await removeFolder(head)
    await writeFile(head, before.head)
    planted.push(head)
  }
  if (before.settings !== '' && (await hasNewRisks(settings, before.settings))) {
    await setAside(settings)
    await writeFile(settings, before.settings)
    planted.push(settings)
  }
  for (const { path, mode } of before.modes.toReversed()) setMode(path, mode)
  return planted
}

/** A person may change the settings while a command runs, and the command too once the cover is gone: what it could gain by is not believed. */
async function hasNewRisks(settings: string, before: string): Promise<boolean> {
  const now = kindOf(settings) === 'file' ? readPlainText(settings) : ''
  if (now === before) return false
  const [was, is] = [await riskySettings(before), await riskySettings(now)]
  return is === null || now === '' || is.some((entry) => was?.includes(entry) !== true)
}

/** Git never makes one there: it was left by a command whose end we did not live to see, and would be followed by everyone's git. */
function refuseRedirected(gitFolder: string): void {
  const path = join(gitFolder, 'commondir')
  if (kindOf(path) === 'none') return
  const message = `${path} leads git to the settings of another repository; remove it, then commands can run here again`
  throw new Problem('denied', message, { details: { path } })
}

function absentIn(folder: string): string[] {
  return [...redirects, ...oldRemotes].map((name) => join(folder, name)).filter((path) => kindOf(path) === 'none')
}

/** Without these git does not take a folder for a repository. */
function inUse(gitFolder: string): string[] {
  return [join(gitFolder, 'objects'), join(gitFolder, 'refs')]
}

/** Where HEAD leads, as git checks it; empty where git would not take the folder for a repository. */
function headOf(gitFolder: string): string {
  const path = join(gitFolder, 'HEAD')
  try {
    const text = kindOf(path) === 'link' ? `ref: ${readlinkSync(path)}` : readPlainText(path)
    return /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(text) ? text : ''
  } catch {
    return ''
  }
}

/** Links where git writes: what a person's git writes there would go wherever they lead. */
function linksIn(gitFolder: string): string[] {
  const links: string[] = []
  const folders = [gitFolder, join(gitFolder, 'logs'), join(gitFolder, 'refs')]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesIn(folder)) {
      if (entry.isSymbolicLink()) links.push(join(folder, entry.name))
      if (entry.isDirectory() && folder !== gitFolder) folders.push(join(folder, entry.name))
    }
  }
  return links
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // it is not there, or its path is too long for git
  }
}

function watching(folder: string, look: () => void): FSWatcher[] {
  try {
    return [watch(folder, { persistent: false }, look).on('error', () => undefined)]
  } catch {
    return [] // the machine watches as much as it can already; all is looked at in the end
  }
}

function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function markOf(path: string): string {
  try {
    const { dev, ino } = lstatSync(path)
    return `${dev} ${ino}`
  } catch {
    return 'none' // or closed to us by the command
  }
}

function modeOf(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o7777
}

function setMode(path: string, mode: number): void {
  if (kindOf(path) === 'folder' && modeOf(path) !== mode) chmodSync(path, mode)
}
