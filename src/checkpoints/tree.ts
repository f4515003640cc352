import { type FileState, isKept, type Unkept } from '../domain/checkpoint.ts'
import { bytesOfText, textOfName } from '../sandbox/files/path-text.ts'
import type { CheckpointFile } from './file.ts'
import { inside } from './walk.ts'

/** What was at a path when it was last looked at. */
export interface Known {
  mark: string
  state: FileState
}

/** A workspace as it was seen last: what is in each folder, by the path of the folder and the name. */
export interface Tree {
  folders: Map<string, Map<string, Known>>
  /** Folders that are not looked into. */
  leftOut: Set<string>
  /** What no checkpoint could bring back. */
  unkept: Map<string, Unkept['why']>
}

/** What became of paths since; null: gone. */
export type Updates = Map<string, (Known & { why: Unkept['why'] | null }) | null>

export function loadTree(file: CheckpointFile): Tree {
  const tree: Tree = { folders: new Map(), leftOut: new Set(), unkept: new Map() }
  for (const row of file.prepared('select path from left_out').iterate())
    tree.leftOut.add(textOfName(Buffer.from(row['path'] as Uint8Array)))
  for (const row of file.prepared('select path, mark, state from tree').iterate()) {
    const state = JSON.parse(String(row['state'])) as FileState & { why?: Unkept['why'] } // written by `storeTree` alone
    const { why, ...known } = state
    setKnown(tree, textOfName(Buffer.from(row['path'] as Uint8Array)), {
      mark: String(row['mark']),
      state: known,
      why: why ?? null,
    })
  }
  return tree
}

/** Writes what changed of a tree. Belongs into a transaction; the tree itself follows with `applyUpdates` once that has held. */
export function storeUpdates(file: CheckpointFile, updates: Updates, leftOut: readonly string[]): void {
  const put = file.prepared('insert into tree values (?, ?, ?, ?) on conflict (path) do update set mark = excluded.mark, state = excluded.state, hash = excluded.hash') // prettier-ignore
  const drop = file.prepared('delete from tree where path = ?')
  for (const [path, known] of updates) {
    if (known === null) drop.run(bytesOfText(path))
    else
      put.run(
        bytesOfText(path),
        known.mark,
        JSON.stringify({ ...known.state, ...(known.why && { why: known.why }) }),
        keptHash(known.state),
      )
    if (known?.state.kind !== 'folder') file.prepared('delete from left_out where path = ?').run(bytesOfText(path))
  }
  for (const path of leftOut) file.prepared('insert into left_out values (?) on conflict do nothing').run(bytesOfText(path))
}

export function applyUpdates(tree: Tree, updates: Updates, leftOut: readonly string[]): void {
  for (const [path, known] of updates) {
    if (known === null) forget(tree, path)
    else setKnown(tree, path, known)
    if (known?.state.kind !== 'folder') tree.leftOut.delete(path)
  }
  for (const path of leftOut) tree.leftOut.add(path)
}

/** What was at a path. */
export function knownAt(tree: Tree, path: string): Known | undefined {
  const { folder, name } = split(path)
  return tree.folders.get(folder)?.get(name)
}

/** Every path below a folder. */
export function pathsBelow(tree: Tree, folder: string): string[] {
  return [...(tree.folders.get(folder)?.keys() ?? [])].flatMap((name) => {
    const path = inside(folder, name)
    return [path, ...pathsBelow(tree, path)]
  })
}

/** The content of a file that can be brought back; null for everything else. */
export function keptHash(state: FileState | null): string | null {
  return state?.kind === 'file' && isKept(state) ? state.hash : null
}

function setKnown(tree: Tree, path: string, { mark, state, why }: Known & { why: Unkept['why'] | null }): void {
  const { folder, name } = split(path)
  const names = tree.folders.get(folder) ?? new Map<string, Known>()
  tree.folders.set(folder, names)
  names.set(name, { mark, state })
  if (why === null) tree.unkept.delete(path)
  else tree.unkept.set(path, why)
}

function forget(tree: Tree, path: string): void {
  const { folder, name } = split(path)
  const names = tree.folders.get(folder)
  names?.delete(name)
  if (names?.size === 0) tree.folders.delete(folder)
  tree.unkept.delete(path)
}

/** The folder and the name of a path. */
export function split(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/')
  return at === -1 ? { folder: '', name: path } : { folder: path.slice(0, at), name: path.slice(at + 1) }
}
