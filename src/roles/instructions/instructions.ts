import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isInPaths, type Bounds } from '../../domain/bounds.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { kindOf } from '../../sandbox/files/kind-of.ts'
import { readOwn, readTold, type ToldFile } from './told-file.ts'

/** A file that tells agents how to work in a folder, as they are told of it. */
export interface Instructions extends ToldFile {
  /** As people know it: from the workspace, or from the home of the user. */
  file: string
}

/** One file beyond this is cut, and so are all of them together: they must not push the role's text out of sight. */
const FILE_CHARS = 8_000
const ALL_CHARS = 24_000

/** In each folder the first of these counts; the others are for tools that do not know it. */
export const instructionNames = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const

/** What holds in a whole workspace: the user's own file, then those of its folder and the folders above it up to the top of its repository. */
export function instructionsFor(workspace: string, userFile: string | null): Instructions[] {
  const own = userFile === null ? null : readOwn(userFile, FILE_CHARS)
  const found = own === null || userFile === null ? [] : [{ file: userFile.replace(homedir(), '~'), ...own }]
  const top = topOf(workspace)
  return withinAll([...found, ...foldersBetween(top, workspace).flatMap((folder) => nearestIn(top, workspace, folder))])
}

/** What holds for some files of a workspace beyond that: of the folders between it and each of them, unless it was told before. */
export function nestedInstructions(
  workspace: string,
  places: Iterable<string>,
  told: ReadonlySet<string>,
  { read_paths }: Pick<Bounds, 'read_paths'>,
): Instructions[] {
  const folders = [...places].map((place) => (kindOf(place) === 'folder' ? place : dirname(place)))
  const below = folders.filter((folder) => isInside(workspace, folder))
  const between = new Set(below.flatMap((folder) => foldersBetween(workspace, folder).slice(1)))
  const found = [...between].toSorted().flatMap((folder) => nearestIn(workspace, workspace, folder))
  return withinAll(found.filter(({ file }) => !told.has(file) && isInPaths(file, read_paths)))
}

/** As a model reads it: whose each is, and what was cut. */
export function instructionsText(files: readonly Instructions[]): string {
  return files.map(({ file, text, cutBytes }) => `[from ${JSON.stringify(file)}${cutText(cutBytes)}]\n${text.trim()}`).join('\n\n')
}

/** As a person reads it. */
export function instructionsLine(files: readonly Instructions[]): string {
  return files.map(({ file, cutBytes }) => `${file}${cutText(cutBytes)}`).join(', ')
}

function cutText(cutBytes: number): string {
  return cutBytes === 0 ? '' : `; its last ${cutBytes} bytes are left out`
}

/** The repository a workspace is in; a folder above it counts only where it is part of the same one. */
export function topOf(workspace: string): string {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return workspace
  }
}

/** From a folder down to one inside it, both included. */
export function foldersBetween(top: string, folder: string): string[] {
  return folder === top ? [top] : [...foldersBetween(top, dirname(folder)), folder]
}

function nearestIn(top: string, workspace: string, folder: string): Instructions[] {
  for (const name of instructionNames) {
    const told = readTold(top, join(folder, name), FILE_CHARS)
    if (told !== null && told.text.trim() !== '') return [{ file: relative(workspace, join(folder, name)), ...told }]
  }
  return []
}

/** As much as fits. What is nearest to the work comes last and is kept; what is farthest gives way. */
function withinAll(files: readonly Instructions[]): Instructions[] {
  let left = ALL_CHARS
  const kept = files.toReversed().flatMap((file) => {
    const text = file.text.slice(0, left)
    left -= text.length
    return text === '' ? [] : [{ ...file, text, cutBytes: file.cutBytes + Buffer.byteLength(file.text.slice(text.length)) }]
  })
  return kept.toReversed()
}
