import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { systemCode } from '../domain/problem.ts'
import { git } from './git/git.ts'
import { readPlainText } from './files/plain-text.ts'

/** What was compared before and after a command that must change nothing, and what was found. Recorded with the command. */
export interface Proof {
  unchanged: boolean
  /** The first paths that differ. */
  changed: string[]
  files: number
  /** False where the tree was too large, or too deep, to look at all of it. */
  complete: boolean
  head: string | null
  took_ms: number
}

const MOST_FILES = 200_000
const MOST_NAMED = 20
const AT_A_TIME = 1000

/**
 * Looks at a workspace now, and gives back the way to look again and compare.
 * It compares names, kinds, sizes, inodes and the times the kernel keeps (which a program cannot set back), not bytes; it cannot
 * tell who made a change, so a person who saves a file meanwhile shows up too. The objects of git are not looked at, its
 * references, index, configuration and hooks are.
 */
export async function proveUnchanged(root: string): Promise<() => Promise<Proof>> {
  const started = performance.now()
  const before = await snapshot(root)
  const spent = performance.now() - started
  return async () => {
    const again = performance.now()
    const after = await snapshot(root)
    const names = new Set([...before.files.keys(), ...after.files.keys()])
    const changed = [...names].filter((name) => before.files.get(name) !== after.files.get(name))
    return {
      unchanged: changed.length === 0 && before.head === after.head,
      changed: changed.toSorted().slice(0, MOST_NAMED),
      files: after.files.size,
      complete: before.complete && after.complete,
      head: after.head,
      took_ms: spent + performance.now() - again,
    }
  }
}

async function snapshot(root: string) {
  const files = new Map<string, string>()
  const folders = [root, ...linkedGitFolder(root)]
  let complete = true
  for (let folder = folders.pop(); folder !== undefined && files.size < MOST_FILES; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      const mark = markOf(path)
      if (mark === null) complete = false
      else files.set(relative(root, path), mark)
      if (mark !== null && entry.isDirectory() && !path.endsWith('/.git/objects')) folders.push(path)
      if (files.size % AT_A_TIME === 0) await setImmediate() // a large tree must not hold up everything else
    }
  }
  const { exit_code, stdout } = await git(root, ['rev-parse', 'HEAD'])
  return { files, complete: complete && files.size < MOST_FILES, head: exit_code === 0 ? stdout.trim() : null }
}

/** A worktree keeps its HEAD and index in the git folder its `.git` file names. */
function linkedGitFolder(root: string): string[] {
  const named = /^gitdir: (.+)$/m.exec(readPlainText(join(root, '.git')))?.[1]
  return named === undefined ? [] : [named] // a git folder of its own, or no repository
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // it went away, or cannot be read: its own mark says so
  }
}

function markOf(path: string): string | null {
  const stat = lstatOf(path)
  if (stat === null) return null
  if (stat === undefined) return 'gone'
  // A folder's own size and times change with any scratch file in it; its entries are compared one by one.
  return stat.isDirectory() ? `folder ${stat.mode} ${stat.ino}` : `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
}

/** Null where folders are nested so deep that no path leads there: whoever put them there could only name them step by step. */
function lstatOf(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (systemCode(error) === 'ENAMETOOLONG') return null
    throw error
  }
}
