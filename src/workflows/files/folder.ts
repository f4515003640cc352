import { existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { systemCode } from '../../domain/problem.ts'
import { isLink } from '../../sandbox/files/is-link.ts'

export type WorkflowSource = z.infer<typeof WorkflowSource>
export const WorkflowSource = z.enum(['built-in', 'user', 'project', 'path'])

export interface WorkflowFolder {
  source: WorkflowSource
  dir: string
}

/** A file that calls itself a workflow; `version` changes with every writing of it. */
export interface WorkflowFile extends WorkflowFolder {
  path: string
  version: number
  refused: { problem: string; fix: string } | null
}

/** A folder that is looked at before every use. */
export interface WatchedFolder {
  /** Whether anything was written since the last look. Costs a look at the folder and one at each file: microseconds. */
  look(): boolean
  /** Whether a file of this folder is as it was at the last look; false for a file that is not in it. */
  isUntouched(path: string): boolean
  files(): readonly WorkflowFile[]
}

/** A file of a megabyte is no workflow. */
const MAX_BYTES = 1024 * 1024

/** A clock of the file system ticks in milliseconds; what is younger than this may be written again within the same tick. */
const YOUNG_MS = 50

/** Remembers what the files of a folder looked like, and tells when they look different. */
export function watchFolder(folder: WorkflowFolder): WatchedFolder {
  let seenDirs: ReadonlyMap<string, Seen> = new Map()
  let seen: { file: WorkflowFile; look: Seen }[] = []
  let version = 0

  function look(): boolean {
    if (folder.source === 'built-in' && seenDirs.size > 0) return false // what ships with the program changes only with the program
    const same = [...seenDirs].every(([dir, before]) => isUnchanged(before, seeing(statSync(dir, { throwIfNoEntry: false }))))
    if (seenDirs.size > 0 && same) return lookAtFiles()
    const dirs = leadsAway(folder) ? [] : foldersIn(folder.dir)
    seenDirs = new Map([folder.dir, ...dirs].map((dir) => [dir, seeing(statSync(dir, { throwIfNoEntry: false }))]))
    seen = (leadsAway(folder) ? [folder.dir] : dirs.flatMap(pathsIn)).map(see)
    return true
  }

  function lookAtFiles(): boolean {
    let changed = false
    for (const [at, { file, look: before }] of seen.entries()) {
      if (isUnchanged(before, seeing(statOf(file.path)))) continue
      seen[at] = see(file.path)
      changed = true
    }
    return changed
  }

  function isUntouched(path: string): boolean {
    const known = seen.find(({ file }) => file.path === path)
    if (known === undefined) return false
    return folder.source === 'built-in' || isUnchanged(known.look, seeing(statOf(path)))
  }

  function see(path: string): { file: WorkflowFile; look: Seen } {
    const info = statOf(path)
    return { file: { ...folder, path, version: ++version, refused: whyRefused(info) }, look: seeing(info) }
  }

  /** A cloned project must not make us read, and quote in an error, a file it merely points to. */
  function statOf(path: string): Stats | undefined {
    return (folder.source === 'project' ? lstatSync : statSync)(path, { throwIfNoEntry: false })
  }

  return { look, isUntouched, files: () => seen.map(({ file }) => file) }
}

type Seen = ReturnType<typeof seeing>

function seeing(info: Stats | undefined) {
  if (info === undefined) return { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0, young: false }
  const { mtimeMs, ctimeMs, size, ino } = info
  return { mtimeMs, ctimeMs, size, ino, young: Date.now() - ctimeMs < YOUNG_MS }
}

function isUnchanged(before: Seen | null, now: Seen): boolean {
  if (before === null || before.young) return false
  return before.mtimeMs === now.mtimeMs && before.ctimeMs === now.ctimeMs && before.size === now.size && before.ino === now.ino
}

function whyRefused(info: Stats | undefined): WorkflowFile['refused'] {
  if (info === undefined || !info.isFile()) return { problem: 'not a file that can be read', fix: 'put the file itself here' }
  return info.size > MAX_BYTES ? { problem: `${info.size} bytes`, fix: `at most ${MAX_BYTES} bytes` } : null
}

/** Of a project whose folder is a link, the link itself is listed, and refused like one to a file. */
function leadsAway({ source, dir }: WorkflowFolder): boolean {
  return source === 'project' && [dirname(dir), dir].some(isLink)
}

/** Folders within folders are read this deep; links and hidden ones are left alone. */
const MAX_LEVELS = 4

/** A folder and those within it, in order. */
function foldersIn(dir: string, level = 1): string[] {
  const within = level === MAX_LEVELS || !existsSync(dir) ? [] : subfolders(dir)
  return [dir, ...within.flatMap((name) => foldersIn(join(dir, name), level + 1))]
}

function subfolders(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !isWorkflowName(entry.name))
      .map(({ name }) => name)
      .toSorted()
  } catch {
    return [] // `pathsIn` tells of a folder that may not be looked into
  }
}

function isWorkflowName(name: string): boolean {
  return /\.(json|ya?ml)$/i.test(name)
}

function pathsIn(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter(isWorkflowName)
      .toSorted()
      .map((name) => join(dir, name))
  } catch (error) {
    // No such folder holds no workflows; one that may not be looked into is itself listed, and refused.
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '') ? [] : [dir]
  }
}
