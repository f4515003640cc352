import { type Checkpoint, type FileState, isKept, type PathChange, sameState } from '../domain/checkpoint.ts'
import { Problem } from '../domain/problem.ts'
import { applyChanges, type LeftAsIs } from './apply.ts'
import type { Compared } from './compare.ts'
import { lookAt } from './look.ts'
import { addFileCheckpoint, checkpointsOf, setDone } from './records.ts'
import { keptHash, knownAt } from './tree.ts'
import { commit, look, oneAtATime, settleCutOff, type CallRef, type KeptWorkspace } from './workspace.ts'

/** What going back would do. */
export interface RestorePlan {
  /** What is there now and what is to be there. */
  changes: PathChange[]
  /** Paths that are not as the agent left them: going back would take away what someone else did. */
  conflicts: string[]
  /** Paths whose former content is not kept. */
  missing: string[]
}

/** Everything that happened to each path from a checkpoint on, as one change; `mixed` where not all of it was the agent's. */
export function netChanges(records: readonly Checkpoint[]): (PathChange & { mixed: boolean })[] {
  const net = new Map<string, PathChange & { mixed: boolean }>()
  for (const { kind, changes } of records) {
    for (const { path, before, after } of changes) {
      const first = net.get(path)
      const mixed = kind === 'cut_off' || first?.mixed === true || (first !== undefined && !sameState(first.after, before))
      net.set(path, { path, before: first === undefined ? before : first.before, after, mixed })
    }
  }
  return [...net.values()]
}

/** What it would take to make everything as it was before a checkpoint. */
export function planRestore(workspace: KeptWorkspace, threadId: string, from: number): RestorePlan {
  const records = checkpointsOf(workspace.file, threadId).filter(({ number }) => number >= from)
  const plan: RestorePlan = { changes: [], conflicts: [], missing: [] }
  for (const { path, before, after, mixed } of netChanges(records)) {
    const now = stateNow(workspace, path)
    if (sameState(now, before)) continue
    if (mixed || !sameState(now, after)) plan.conflicts.push(path)
    if (isThere(workspace, before)) plan.changes.push({ path, before: now, after: before })
    else plan.missing.push(path)
  }
  return plan
}

/** How it is recorded that somebody went back. `told`: done before the record counts as finished, and again after a kill. */
export interface Restoring {
  call: CallRef
  to: number
  now: Date
  told: (restored: Restored) => Promise<void>
}

/** What going back did. */
export interface Restored {
  number: number
  restored: string[]
  left: LeftAsIs[]
}

/** Goes back. What is there now is kept first and the record is written before anything is touched, so that a kill leaves one of the two. */
export async function restore(workspace: KeptWorkspace, plan: RestorePlan, { call, to, now, told }: Restoring): Promise<Restored> {
  return oneAtATime(workspace, async () => {
    const paths = plan.changes.map(({ path }) => path)
    const present = await look(workspace, paths)
    refuseMoved(workspace, plan, present)
    let number = 0
    commit(workspace, present, () => {
      const record = { ...call, at: now.toISOString(), to, done: false, changes: plan.changes, unkept: [] }
      number = addFileCheckpoint(workspace.file, { ...record, kind: 'restore' })
    })
    return finish(workspace, number, plan.changes, told)
  })
}

/** Brings to its end what a killed process had begun, and records what its calls had changed. */
export async function settle(
  workspace: KeptWorkspace,
  threadId: string,
  now: Date,
  told: (of: Checkpoint, restored: Restored) => Promise<void>,
) {
  await oneAtATime(workspace, async () => {
    await settleCutOff(workspace, now)
    for (const record of checkpointsOf(workspace.file, threadId)) {
      if (!record.done) await finish(workspace, record.number, record.changes, (restored) => told(record, restored))
    }
  })
}

async function finish(
  workspace: KeptWorkspace,
  number: number,
  changes: readonly PathChange[],
  told: Restoring['told'],
): Promise<Restored> {
  const { root, file, settings } = workspace
  const left = applyChanges({ root, maxFileBytes: settings.maxFileBytes, contentOf: file.contentOf }, changes)
  const paths = changes.map(({ path }) => path)
  const restored = { number, restored: paths.filter((path) => !left.some((other) => other.path === path)), left }
  const after = await look(workspace, paths)
  await told(restored)
  commit(workspace, after, () => setDone(file, number))
  return restored
}

/** Between the plan and now someone saved a file: what was agreed to is not what would be done. */
function refuseMoved({ tree }: KeptWorkspace, plan: RestorePlan, { updates }: Compared): void {
  const moved = plan.changes.filter(({ path, before }) => {
    const now = updates.has(path) ? updates.get(path) : knownAt(tree, path)
    return !sameState(now?.state ?? null, before)
  })
  if (moved.length === 0) return
  throw new Problem('conflict', `files changed while this was prepared: ${moved.map(({ path }) => path).join(', ')}; try again`)
}

function stateNow({ root, settings }: KeptWorkspace, path: string): FileState | null {
  return lookAt(root, path, settings.maxFileBytes)?.state ?? null
}

function isThere({ file }: KeptWorkspace, state: FileState | null): boolean {
  const hash = keptHash(state)
  return isKept(state) && (hash === null || file.hasContent(hash))
}
