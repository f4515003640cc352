// Synchronous: between the last look at a path and what is done to it nothing else of this process runs.
import { hash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileState, type PathChange, sameState } from '../domain/checkpoint.ts'
import { messageOf, Problem, systemCode } from '../domain/problem.ts'
import { holdFolder } from '../sandbox/files/in-folder.ts'
import { pathOfText } from '../sandbox/files/path-text.ts'
import { lookAt } from './look.ts'
import { split } from './tree.ts'

/** A path that was left as it was, and why. */
export interface LeftAsIs {
  path: string
  why: string
}

interface Applying {
  root: string
  maxFileBytes: number
  contentOf: (hash: string) => Buffer | null
  left: LeftAsIs[]
}

/**
 * Makes every path what it is to be. What is not as expected by now is left alone and told. Every folder is walked to without following
 * links and held open, and a file is replaced as a whole, so that nothing outside the workspace can be reached or written into.
 */
export function applyChanges(where: Omit<Applying, 'left'>, changes: readonly PathChange[]): LeftAsIs[] {
  const applying: Applying = { ...where, left: [] }
  const downward = changes.toSorted((a, b) => depth(a) - depth(b))
  const upward = downward.toReversed()
  // A folder that the agent closed must be open for what is in it.
  for (const change of downward) if (isFolder(change.before) && isFolder(change.after)) attempt(applying, change, openUp)
  for (const change of upward) if (vanishes(change)) attempt(applying, change, remove)
  for (const change of downward) if (isFolder(change.after) && !isFolder(change.before)) attempt(applying, change, makeFolder)
  for (const change of downward) if (change.after !== null && !isFolder(change.after)) attempt(applying, change, write)
  for (const change of upward) if (isFolder(change.after)) attempt(applying, change, setFolder)
  return applying.left
}

function attempt(applying: Applying, change: PathChange, act: (applying: Applying, change: PathChange, at: string) => void): void {
  const { path } = change
  if (applying.left.some((other) => other.path === path)) return
  const { folder, name } = split(path)
  try {
    inOpenFolder(applying.root, folder, change.after !== null, (place) => act(applying, change, `${place}/${name}`))
  } catch (error) {
    applying.left.push({ path, why: messageOf(error) })
  }
}

/** The folder may be closed to writing: it is opened meanwhile. */
function inOpenFolder(root: string, folder: string, make: boolean, work: (place: string) => void): void {
  const held = holdFolder(root, folder === '' ? [] : folder.split('/'), make)
  try {
    work(held.path)
  } catch (error) {
    const { mode } = fstatSync(held.fd)
    if (systemCode(error) !== 'EACCES' || (mode & 0o300) === 0o300) throw error
    fchmodSync(held.fd, (mode & 0o7777) | 0o700)
    try {
      work(held.path)
    } finally {
      fchmodSync(held.fd, mode & 0o7777)
    }
  } finally {
    closeSync(held.fd)
  }
}

function vanishes({ before, after }: PathChange): boolean {
  return before !== null && (after === null || isFolder(before) !== isFolder(after))
}

function remove(applying: Applying, { path, before }: PathChange, at: string): void {
  const now = expectState(applying, path, [before, null])
  if (now === null) return
  if (!isFolder(now)) return unlinkSync(pathOfText(at))
  try {
    rmdirSync(pathOfText(at))
  } catch (error) {
    if (systemCode(error) !== 'ENOTEMPTY') throw error
    throw new Problem('conflict', 'there is something in the folder that was not there then', { cause: error })
  }
}

function makeFolder({ root }: Applying, { path }: PathChange, at: string): void {
  if (lookAt(root, path, 0)?.state.kind !== 'folder') mkdirSync(pathOfText(at), 0o700)
}

function openUp(_: Applying, { after }: PathChange, at: string): void {
  if (after?.kind === 'folder') setMode(at, after.mode | 0o700)
}

function setFolder(_: Applying, { after }: PathChange, at: string): void {
  if (after?.kind !== 'folder') return
  setMode(
    at,
    after.owner !== undefined && !give(() => lchownSync(pathOfText(at), ...(after.owner ?? [0, 0]))) ? after.mode & 0o1777 : after.mode,
  )
}

function write(applying: Applying, { path, before, after }: PathChange, at: string): void {
  const now = expectState(applying, path, vanishes({ path, before, after }) ? [null, after] : [before, null, after])
  if (after === null || sameState(now, after)) return
  // Named after what it becomes, so that whoever takes this up after a kill finds it.
  const temporary = pathOfText(`${at.slice(0, at.lastIndexOf('/'))}/.troupe-${hash('sha256', path).slice(0, 16)}.tmp`)
  rmSync(temporary, { force: true })
  try {
    if (after.kind === 'link') symlinkSync(pathOfText(after.target), temporary)
    else writeContent(temporary, after, applying.contentOf)
    renameSync(temporary, pathOfText(at))
  } finally {
    rmSync(temporary, { force: true })
  }
}

function writeContent(temporary: string | Buffer, state: FileState, contentOf: Applying['contentOf']): void {
  const content = state.kind === 'file' ? contentOf(state.hash) : null
  if (state.kind !== 'file' || content === null || hash('sha256', content) !== state.hash)
    throw new Problem('not_found', 'its content is not kept any more')
  const fd = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(fd, content)
    const { owner, mode } = state
    fchmodSync(fd, owner !== undefined && !give(() => fchownSync(fd, ...owner)) ? mode & 0o1777 : mode)
  } finally {
    closeSync(fd)
  }
}

/** Whoever cannot give a file away must not make it act with the rights of another than its owner either. */
function give(away: () => void): boolean {
  try {
    away()
    return true
  } catch {
    return false
  }
}

/** Sets the mode of a folder also where it is closed to us, and of nothing that a link leads to. */
function setMode(at: string, mode: number): void {
  if (process.platform !== 'linux') return chmodSync(pathOfText(at), mode)
  const fd = openSync(pathOfText(at), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if ((lstatSync(pathOfText(at)).mode & 0o7777) !== mode) chmodSync(`/proc/self/fd/${fd}`, mode)
  } finally {
    closeSync(fd)
  }
}

/** Linux: names a file without opening it. */
const O_PATH = 0o10000000

/** What is there now, if it is one of those. The mode of a folder was changed here to get into it. */
function expectState({ root, maxFileBytes }: Applying, path: string, expected: readonly (FileState | null)[]): FileState | null {
  const now = lookAt(root, path, maxFileBytes)?.state ?? null
  if (expected.some((state) => sameState(state, now) || (isFolder(state) && isFolder(now)))) return now
  throw new Problem('conflict', 'someone changed it meanwhile')
}

function isFolder(state: FileState | null): boolean {
  return state?.kind === 'folder'
}

function depth({ path }: PathChange): number {
  return path.split('/').length
}
