import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkpoint, PathChange, Unkept } from '../domain/checkpoint.ts'
import { remember } from '../domain/remember.ts'
import { storePaths } from '../sandbox/files/store-paths.ts'
import { holderId, isGone } from '../sandbox/process/holder.ts'
import { compare, lostIn, type Compared, type CallReach } from './compare.ts'
import { openCheckpointFile, type CheckpointFile } from './file.ts'
import { bytesIn, prune } from './prune.ts'
import { addFileCheckpoint, type NewCheckpoint } from './records.ts'
import { applyUpdates, loadTree, storeUpdates, type Tree } from './tree.ts'
import { GIT } from './walk.ts'

/** Where checkpoints lie and how much may be kept. */
export interface CheckpointSettings {
  folder: string
  maxBytes: number
  maxFileBytes: number
  maxAgeMs: number
}

/** Whose call it is that may change files. */
export type CallRef = Pick<Checkpoint, 'thread_id' | 'run_id' | 'call_id'>

/** A workspace in the hands of this process: its file, its tree, and one thing at a time. */
export interface KeptWorkspace {
  readonly root: string
  readonly settings: CheckpointSettings
  readonly file: CheckpointFile
  tree: Tree
  /** What the file said of others' writes when the tree was read. */
  version: number
  bytes: number
  /** What people agreed to lose, by thread. */
  agreed: Map<string, Set<string>>
  turn: Promise<unknown>
}

/** A call that is about to change files. */
export interface BegunCall {
  /** What could not be brought back if the call took it away, and nobody has agreed to in this thread. */
  risks: Unkept[]
  /** What no checkpoint holds by choice, and nobody has agreed to lose in this thread. */
  leftAlone: Unkept[]
  /** A person agreed that calls of this thread may take these away. */
  agree: (risks: readonly Unkept[]) => void
  /** The call does not run. */
  cancel: () => void
  /** Compares, and records what the call changed. */
  end: () => Promise<{ changes: PathChange[]; lost: Unkept[] }>
}

const open = new Map<string, KeptWorkspace>()

/** The checkpoints of a workspace, opened once in a process. */
export function keptWorkspace(settings: CheckpointSettings, root: string): KeptWorkspace {
  return remember(open, `${settings.folder}\n${root}`, () => openWorkspace(settings, root))
}

/** Keeps what a call could change, before it does; afterwards its `end` records what it has changed. */
export async function beginCall(workspace: KeptWorkspace, call: CallRef, reach: CallReach, now: Date): Promise<BegunCall> {
  const { risks, leftAlone } = await oneAtATime(workspace, async () => {
    await settleCutOff(workspace, now)
    makeRoom(workspace, now)
    const before = await look(workspace, reach)
    commit(workspace, before, () => {
      recordForOthers(workspace, before, now)
      addPending(workspace.file, call, reach)
    })
    return reach === 'workspace' ? risksIn(workspace, call) : { risks: [], leftAlone: [] }
  })
  const end = () =>
    oneAtATime(workspace, async () => {
      const after = await look(workspace, reach)
      const lost = lostIn(workspace.tree, after.changes)
      if (reach === 'workspace' && hadGit && !hasGit(workspace)) lost.push({ path: GIT, why: 'git' })
      commit(workspace, after, () => {
        if (after.changes.length > 0)
          addFileCheckpoint(workspace.file, { ...call, at: now.toISOString(), kind: 'call', ...after, unkept: lost })
        removePending(workspace.file, call)
      })
      return { changes: after.changes, lost }
    })
  const hadGit = hasGit(workspace)
  const agree: BegunCall['agree'] = (given) => {
    const agreed = remember(workspace.agreed, call.thread_id, () => new Set<string>())
    for (const { path } of given) agreed.add(path)
  }
  return { risks, leftAlone, agree, cancel: () => removePending(workspace.file, call), end }
}

/** What changed while another call is still at work is that call's: its own look at the end would not find it any more. */
function recordForOthers({ file, tree }: KeptWorkspace, { changes }: Compared, now: Date): void {
  const other = changes.length === 0 ? undefined : pendingCalls(file).find(({ reach, holder }) => reach === 'workspace' && !isGone(holder))
  if (other === undefined) return
  addFileCheckpoint(file, { ...other.call, at: now.toISOString(), kind: 'call', changes, unkept: lostIn(tree, changes) })
}

/** A pipe or a socket has no content to lose. */
function risksIn(workspace: KeptWorkspace, { thread_id }: CallRef): Pick<BegunCall, 'risks' | 'leftAlone'> {
  const { tree, agreed } = workspace
  const isOpen = ({ path }: Unkept) => agreed.get(thread_id)?.has(path) !== true
  const risks = [...tree.unkept].flatMap(([path, why]): Unkept[] => (why === 'special' ? [] : [{ path, why }]))
  const folders = [...tree.leftOut].map((path): Unkept => ({ path, why: 'left_out' }))
  const git: Unkept[] = hasGit(workspace) ? [{ path: GIT, why: 'git' }] : []
  return { risks: risks.filter(isOpen), leftAlone: [...folders, ...git].filter(isOpen) }
}

/** Commits are gone where nothing is left in their folder, which itself is held in its place. */
function hasGit({ root }: KeptWorkspace): boolean {
  const objects = join(root, GIT, 'objects')
  return existsSync(objects) && readdirSync(objects).length > 0
}

function makeRoom(workspace: KeptWorkspace, now: Date): void {
  prune(workspace.file, workspace.settings, now)
  workspace.bytes = bytesIn(workspace.settings.folder)
}

/** What a call had changed when its process was killed. Who else changed something since cannot be told apart any more. */
export async function settleCutOff(workspace: KeptWorkspace, now: Date): Promise<void> {
  for (const { id, call, reach, holder } of pendingCalls(workspace.file)) {
    if (!isGone(holder)) continue // of a process elsewhere nobody can tell; it is left to it
    const after = await look(workspace, reach)
    const lost = lostIn(workspace.tree, after.changes)
    const record: NewCheckpoint = { ...call, at: now.toISOString(), kind: 'cut_off', changes: after.changes, unkept: lost }
    commit(workspace, after, () => {
      if (after.changes.length > 0) addFileCheckpoint(workspace.file, record)
      workspace.file.prepared('delete from pending where id = ?').run(id)
    })
  }
}

/** Calls that change the same workspace side by side take turns to look. */
export function oneAtATime<Result>(workspace: KeptWorkspace, work: () => Promise<Result>): Promise<Result> {
  const done = workspace.turn.then(work)
  workspace.turn = done.catch(() => undefined)
  return done
}

/** What differs from the tree now; its content is kept. */
export async function look(workspace: KeptWorkspace, reach: CallReach): Promise<Compared> {
  const { root, file, settings } = workspace
  const version = versionOf(file)
  if (version !== workspace.version) Object.assign(workspace, { tree: loadTree(file), version })
  const own = new Set(storePaths())
  return compare(
    {
      root,
      file: { ...file, addContent: (hash, content) => void (workspace.bytes += file.addContent(hash, content)) },
      tree: workspace.tree,
      maxFileBytes: settings.maxFileBytes,
      room: () => settings.maxBytes - workspace.bytes,
      isHidden: (place) => own.has(place),
    },
    reach,
  )
}

/** Makes what was found the tree, together with what the caller records of it. */
export function commit(workspace: KeptWorkspace, { updates, leftOut }: Compared, also: () => void): void {
  const { file } = workspace
  file.transaction(() => {
    storeUpdates(file, updates, leftOut)
    also()
  })
  applyUpdates(workspace.tree, updates, leftOut)
}

function openWorkspace(settings: CheckpointSettings, root: string): KeptWorkspace {
  const file = openCheckpointFile(settings.folder, root)
  return { root, settings, file, tree: loadTree(file), version: versionOf(file), bytes: 0, agreed: new Map(), turn: Promise.resolve() }
}

/** Changes when another process has written to the file. */
function versionOf(file: CheckpointFile): number {
  return Number(file.prepared('pragma data_version').get()?.['data_version'])
}

interface Pending {
  id: string
  call: CallRef
  reach: CallReach
  holder: string
}

function addPending(file: CheckpointFile, call: CallRef, reach: CallReach): void {
  const holder = holderId()
  file.prepared('insert or replace into pending values (?, ?)').run(pendingId(call), JSON.stringify({ call, reach, holder }))
}

function removePending(file: CheckpointFile, call: CallRef): void {
  file.prepared('delete from pending where id = ?').run(pendingId(call))
}

function pendingCalls(file: CheckpointFile): Pending[] {
  const rows = file.prepared('select id, call from pending').all()
  return rows.map((row) => ({ id: String(row['id']), ...(JSON.parse(String(row['call'])) as Omit<Pending, 'id'>) })) // of `addPending` alone
}

function pendingId({ run_id, call_id }: CallRef): string {
  return `${run_id} ${call_id}`
}
