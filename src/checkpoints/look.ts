// Synchronous: a whole workspace passes through here, and a trip to the thread pool takes ten times as long as a look.
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { hash } from 'node:crypto'
import { type FileState, UNREAD, type Unkept } from '../domain/checkpoint.ts'
import { Problem, systemCode } from '../domain/problem.ts'
import { pathOfText, textOfName } from '../sandbox/files/path-text.ts'

/** What a look at a path found. */
export interface Look {
  /** What the kernel knows of it; as long as it stays the same, so does the content. Empty: not to be relied on. */
  mark: string
  state: FileState
  /** What to keep of a file. */
  content: Buffer | null
  unkept: Unkept['why'] | null
}

/** Files of this kind are opened without following a link and without waiting for anyone who is at the other end of a pipe. */
const safely = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Clocks of file systems are coarse: what changed this recently may change again without looking different. */
const RECENT_MS = 50

/** Looks at what is at a path inside a workspace, the link itself where it is one. Null: nothing, also where a link is on the way. */
export function lookAt(root: string, path: string, maxBytes: number): Look | null {
  const folders = path.split('/').slice(0, -1)
  const isWay = folders.every((_, at) => statOf(`${root}/${folders.slice(0, at + 1).join('/')}`)?.isDirectory() === true)
  return isWay ? lookAtFound(root, path, maxBytes) : null
}

/** The same for a path that was just found by walking there. */
export function lookAtFound(root: string, path: string, maxBytes: number): Look | null {
  const place = `${root}/${path}`
  const stat = statOf(place)
  if (stat === null) return null
  if (stat.isFile()) return lookAtFile(root, path, place, maxBytes, stat)
  if (stat.isDirectory()) return { mark: markOf(stat), state: folderState(stat), content: null, unkept: null }
  if (!stat.isSymbolicLink()) return other(stat)
  const target = textOfName(readlinkSync(pathOfText(place), { encoding: 'buffer' }))
  return { mark: reliable(stat), state: { kind: 'link', target }, content: null, unkept: null }
}

/** What the kernel knows of a path, as one word to compare. The times of a folder change with every file in it and are left out. */
export function markOf(stat: BigIntStats): string {
  if (stat.isDirectory()) return `d${stat.mode}`
  return `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
}

/** What is at a path; null when nothing is. */
export function statOf(place: string): BigIntStats | null {
  try {
    return lstatSync(pathOfText(place), { bigint: true, throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return null
    throw error
  }
}

function lookAtFile(root: string, path: string, place: string, maxBytes: number, seen: BigIntStats): Look | null {
  if (seen.size > BigInt(maxBytes)) return unread(seen, 'too_large')
  for (let tries = 0; tries < 3; tries++) {
    const fd = opened(place)
    if (fd === null) return statOf(place) === null ? null : unread(seen, 'unreadable')
    try {
      const stat = fstatSync(fd, { bigint: true })
      if (!stat.isFile()) return other(stat)
      refuseElsewhere(fd, `${root}/${path}`)
      const content = readFileSync(fd)
      if (markOf(fstatSync(fd, { bigint: true })) !== markOf(stat)) continue // it is being written
      return { mark: reliable(stat), state: fileState(stat, content), content, unkept: null }
    } finally {
      closeSync(fd)
    }
  }
  return unread(seen, 'unreadable')
}

function opened(place: string): number | null {
  try {
    return openSync(pathOfText(place), safely)
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT', 'ELOOP', 'ENXIO', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

/** A folder on the way may have been swapped for a link: what is outside is not ours to keep. */
function refuseElsewhere(fd: number, place: string): void {
  if (process.platform !== 'linux') return
  const really = textOfName(readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' }))
  if (really === place || really === `${place} (deleted)`) return
  throw new Problem('denied', `${place} led elsewhere while it was read; nothing of it was kept`)
}

function fileState(stat: BigIntStats, content: Buffer): FileState {
  return { kind: 'file', mode: permissionsOf(stat), size: content.length, hash: hash('sha256', content), ...ownerOf(stat) }
}

function folderState(stat: BigIntStats): FileState {
  return { kind: 'folder', mode: permissionsOf(stat), ...ownerOf(stat) }
}

function unread(stat: BigIntStats, why: Unkept['why']): Look {
  const state: FileState = { kind: 'file', mode: permissionsOf(stat), size: Number(stat.size), hash: `${UNREAD}${markOf(stat)}` }
  return { mark: markOf(stat), state, content: null, unkept: why }
}

function other(stat: BigIntStats): Look {
  return { mark: markOf(stat), state: { kind: 'other', hash: `${UNREAD}${markOf(stat)}` }, content: null, unkept: 'special' }
}

function permissionsOf({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n)
}

function ownerOf({ uid, gid }: BigIntStats): { owner?: [number, number] } {
  const ours = Number(uid) === process.getuid?.() && Number(gid) === process.getgid?.()
  return ours ? {} : { owner: [Number(uid), Number(gid)] }
}

function reliable(stat: BigIntStats): string {
  return Date.now() - Number(stat.ctimeMs) < RECENT_MS ? '' : markOf(stat)
}
