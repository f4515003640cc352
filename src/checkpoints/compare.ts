import { setImmediate } from 'node:timers/promises'
import { sameState, UNREAD, type FileState, type PathChange, type Unkept } from '../domain/checkpoint.ts'
import type { CheckpointFile } from './file.ts'
import { findLeftOut } from './left-out.ts'
import { lookAt, lookAtFound, type Look } from './look.ts'
import { knownAt, pathsBelow, type Tree, type Updates } from './tree.ts'
import { inside, isFolderMark, listFolder } from './walk.ts'

/** Which paths are compared: all, or some with the folders that lead there. */
export type CallReach = 'workspace' | readonly string[]

/** What a workspace is compared with and where what is found is kept. */
export interface Comparing {
  root: string
  file: Pick<CheckpointFile, 'transaction' | 'hasContent'> & { addContent: (hash: string, content: Buffer) => void }
  tree: Tree
  maxFileBytes: number
  /** How many more bytes may be kept. */
  room: () => number
  isHidden: (place: string) => boolean
}

/** What differs from the tree. Nothing of it is in the tree yet. */
export interface Compared {
  changes: PathChange[]
  updates: Updates
  /** Folders that turned out too large to be looked into. */
  leftOut: string[]
}

/** More at a time would hold up everything else this process does. */
const BATCH = 200

/** Looks what has changed, and keeps the content of it. */
export async function compare(comparing: Comparing, reach: CallReach): Promise<Compared> {
  const found = reach === 'workspace' ? await walk(comparing) : { changed: withParents(reach), gone: [], fresh: 0 }
  const leftOut = await findLeftOut(comparing, found)
  const isLeftOut = (path: string) => leftOut.some((folder) => path.startsWith(`${folder}/`))
  const compared: Compared = { changes: [], updates: new Map(), leftOut }
  for (const path of leftOut) for (const below of pathsBelow(comparing.tree, path)) compared.updates.set(below, null)
  const changed = found.changed.filter((path) => !isLeftOut(path))
  for (let at = 0; at < changed.length; at += BATCH) {
    if (at > 0) await setImmediate()
    lookAtAll(comparing, changed.slice(at, at + BATCH), compared, reach === 'workspace' ? lookAtFound : lookAt)
  }
  for (const path of found.gone) remove(comparing.tree, path, compared)
  return compared
}

/** What may have changed: paths whose mark differs, and those that are no longer there. */
export interface Candidates {
  changed: string[]
  gone: string[]
  /** How many were not known before. */
  fresh: number
}

async function walk({ root, tree, isHidden }: Comparing): Promise<Candidates> {
  const found: Candidates = { changed: [], gone: [], fresh: 0 }
  const folders = ['']
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = listFolder(root, folder, isHidden)
    if (listing === null) continue // closed to us: what was known of it stands
    const known = tree.folders.get(folder)
    for (const [name, mark] of listing) {
      const path = inside(folder, name)
      const before = known?.get(name)
      if (before?.mark !== mark) found.changed.push(path)
      if (before === undefined) found.fresh += 1
      if (isFolderMark(mark) && !tree.leftOut.has(path)) folders.push(path)
    }
    for (const name of known?.keys() ?? []) if (!listing.has(name)) found.gone.push(inside(folder, name))
    seen += listing.size
    if (seen > 2_000) {
      seen = 0
      await setImmediate()
    }
  }
  return found
}

function withParents(paths: readonly string[]): string[] {
  const all = paths.flatMap((path) => path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/')))
  return [...new Set(all)].filter((path) => path !== '' && path !== '.')
}

/** Content is in the file before anyone relies on it. */
function lookAtAll(comparing: Comparing, paths: readonly string[], compared: Compared, lookFor: typeof lookAt): void {
  const { root, tree, maxFileBytes, file } = comparing
  const looks = paths.map((path) => ({ path, look: lookFor(root, path, maxFileBytes) }))
  file.transaction(() => {
    for (const { path, look } of looks) {
      const known = knownAt(tree, path)
      if (look === null) {
        if (known !== undefined) remove(tree, path, compared)
        continue
      }
      const { state, why } = kept(comparing, look)
      if (known?.state.kind === 'folder' && state.kind !== 'folder') for (const below of pathsBelow(tree, path)) gone(tree, below, compared)
      if (!sameState(known?.state ?? null, state)) compared.changes.push({ path, before: known?.state ?? null, after: state })
      compared.updates.set(path, { mark: look.mark, state, why })
    }
  })
}

function kept({ file, room }: Comparing, { state, content, mark, unkept }: Look): { state: FileState; why: Unkept['why'] | null } {
  if (state.kind !== 'file' || content === null || file.hasContent(state.hash)) return { state, why: unkept }
  if (content.length > room()) return { state: { ...state, hash: `${UNREAD}${mark || state.hash}` }, why: 'no_room' }
  file.addContent(state.hash, content)
  return { state, why: null }
}

function remove(tree: Tree, path: string, compared: Compared): void {
  for (const each of [path, ...pathsBelow(tree, path)]) gone(tree, each, compared)
}

function gone(tree: Tree, path: string, { changes, updates }: Compared): void {
  if (updates.has(path)) return
  const before = knownAt(tree, path)?.state ?? null
  if (before !== null) changes.push({ path, before, after: null })
  updates.set(path, null)
}

/** What of some changes cannot be taken back. */
export function lostIn({ unkept, leftOut }: Tree, changes: readonly PathChange[]): Unkept[] {
  return changes.flatMap(({ path, before }): Unkept[] => {
    if (before?.kind === 'folder' && leftOut.has(path)) return [{ path, why: 'left_out' }]
    const why = unkept.get(path)
    return before !== null && why !== undefined ? [{ path, why }] : []
  })
}
