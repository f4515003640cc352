import { lstat, readdir, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Dirent } from 'node:fs'
import * as z from 'zod'
import { type Bounds, isInPaths, leadsToPaths } from '../../domain/bounds.ts'
import { Problem } from '../../domain/problem.ts'
import { inFolder } from '../../sandbox/files/in-folder.ts'
import { defineTool } from '../gate.ts'

const ENTRIES = 1_000

/** Folders nobody reads by hand; they are named, but not entered. */
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Shows what is in a folder. Symbolic links are shown, never followed. */
export const listDirectoryTool = defineTool({
  name: 'list_directory',
  description: 'List a folder; folders end in /.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    path: z.string().min(1).default('.'),
    depth: z.int().min(1).max(5).default(1),
  }),
  paths: ({ path }) => [path],
  run: async ({ path, depth }, { root, place, signal, bounds }) => {
    const found = await lstat(place(path)).catch(() => null)
    if (found === null) throw new Problem('not_found', `${path} does not exist; list its parent to see what does`)
    if (!found.isDirectory()) throw new Problem('bad_input', `${path} is a file, not a directory; read_file shows it`)
    const { lines, complete } = await listed(root, place(path), depth, signal, bounds.read_paths)
    const note = complete ? [] : [`[cut after ${ENTRIES} entries; list a folder further down or use find_files]`]
    return {
      output: lines.length === 0 ? 'the directory is empty' : [...lines, ...note].join('\n'),
      details: { path, entries: lines.length, complete },
    }
  },
})

async function listed(
  root: string,
  top: string,
  depth: number,
  signal: AbortSignal,
  seen: Bounds['read_paths'],
): Promise<{ lines: string[]; complete: boolean }> {
  const lines: string[] = []
  let complete = true
  const enter = async (folder: string, level: number): Promise<void> => {
    for (const { entry, line } of await inFolder(root, folder, described)) {
      signal.throwIfAborted()
      const place = relative(root, join(folder, entry.name))
      if (!(entry.isDirectory() ? leadsToPaths(place, seen) : isInPaths(place, seen))) continue
      complete &&= lines.length < ENTRIES
      if (!complete) return
      lines.push(`${'  '.repeat(level)}${line}`)
      if (entry.isDirectory() && level + 1 < depth && !NOT_ENTERED.has(entry.name)) await enter(join(folder, entry.name), level + 1)
    }
  }
  await enter(top, 0)
  return { lines, complete }
}

async function described(at: (name: string) => string): Promise<{ entry: Dirent; line: string }[]> {
  const entries = (await readdir(at('.'), { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  // One more than is shown, so that it is seen when some were left out.
  return Promise.all(entries.slice(0, ENTRIES + 1).map(async (entry) => ({ entry, line: await describe(entry, at(entry.name)) })))
}

async function describe(entry: Dirent, absolute: string): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`
  if (entry.isSymbolicLink()) return `${entry.name} -> ${await readlink(absolute).catch(() => '?')}`
  const found = await lstat(absolute).catch(() => null)
  return `${entry.name}  ${found?.size ?? '?'}`
}
