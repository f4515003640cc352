import { lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { looksLikeRepository } from './repository-shape.ts'

/** What is known of one folder: what it looked like when it was read, and what it held then. */
interface Seen {
  mark: string
  folders: readonly string[]
  isGit: boolean
}

/** More folders than this are not looked at. */
const MOST_FOLDERS = 100_000
const AT_A_TIME = 500

/** A change this soon after a look may bear the same time as the look. */
const UNSURE_MS = 1000

const known = new Map<string, Map<string, Seen>>()

/**
 * Every folder in a workspace that git takes for a repository, whatever it is called. Folders that did not change since they were
 * last looked at are not read again: the kernel keeps a time for it that no program can set back.
 */
export async function gitFoldersIn(root: string): Promise<string[]> {
  const before = known.get(root)
  const after = new Map<string, Seen>()
  const left = [root]
  for (let folder = left.pop(); folder !== undefined && after.size < MOST_FOLDERS; folder = left.pop()) {
    const seen = look(folder, before?.get(folder))
    if (seen === null) continue
    after.set(folder, seen)
    for (const path of seen.folders) left.push(path)
    if (after.size % AT_A_TIME === 0) await setImmediate() // a large tree must not hold up everything else
  }
  known.set(root, after)
  return [...after].flatMap(([folder, { isGit }]) => (isGit ? [folder] : []))
}

function look(folder: string, before: Seen | undefined): Seen | null {
  try {
    const { ino, ctimeMs } = lstatSync(folder)
    const mark = `${ino} ${ctimeMs}`
    if (before?.mark === mark) return before
    const entries = readdirSync(folder, { withFileTypes: true })
    const folders = entries.flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
    const isGit = basename(folder) === '.git' || looksLikeRepository(new Set(entries.map(({ name }) => name)))
    const isSure = Date.now() - ctimeMs > UNSURE_MS
    return { mark: isSure ? mark : '', folders, isGit }
  } catch {
    return null // it went away, is closed to us, or its path is too long for anyone to use
  }
}
