import { existsSync } from 'node:fs'
import * as z from 'zod'
import type { FileDiff } from '../checkpoints/diff.ts'
import { changeWord, diffOfTurn, diffSince } from '../checkpoints/diff.ts'
import { checkpointFileOf } from '../checkpoints/file.ts'
import { checkpointsOf, removeCheckpoints } from '../checkpoints/records.ts'
import { planRestore, restore, settle, type Restored, type RestorePlan } from '../checkpoints/restore.ts'
import { lastStanding, turnsIn, type FileTurn } from '../checkpoints/turns.ts'
import { keptWorkspace, type CheckpointSettings, type KeptWorkspace } from '../checkpoints/workspace.ts'
import { Unkept, type Checkpoint } from '../domain/checkpoint.ts'
import { newId } from '../domain/id.ts'
import { Problem, type NextStep } from '../domain/problem.ts'
import { counted } from '../domain/text/format.ts'
import type { Driver } from '../store/driver.ts'
import { entries } from '../store/run-tables.ts'
import { newEntry } from '../store/thread.ts'

/** A path and what happens to it. */
const ChangedPath = z.object({ path: z.string(), change: z.enum(['created', 'changed', 'deleted']) })

/** A place one can go back to: before a turn that changed files, or before somebody went back. */
export type CheckpointView = z.infer<typeof CheckpointView>
export const CheckpointView = z.object({
  number: z.int(),
  kind: z.enum(['turn', 'restore']),
  at: z.iso.datetime(),
  run_id: z.string(),
  files: z.array(ChangedPath),
  /** What going back could not bring back. */
  lost: z.array(Unkept),
  undone: z.boolean(),
})

/** What going back did, or would do. */
export type GoneBack = z.infer<typeof GoneBack>
export const GoneBack = z.object({
  /** Going back to this brings back what was taken away; null for a dry run. */
  checkpoint: z.int().nullable(),
  files: z.array(ChangedPath),
  conflicts: z.array(z.string()),
  missing: z.array(z.string()),
  left: z.array(z.object({ path: z.string(), why: z.string() })),
})

export const FileDiffs = z.object({
  files: z.array(ChangedPath.extend({ added: z.int(), removed: z.int(), diff: z.string() })) satisfies z.ZodType<FileDiff[]>,
})

/** A thread whose files are gone back with. */
export interface UndoContext {
  driver: Driver
  checkpoints: CheckpointSettings | undefined
  workspace: string
  thread_id: string
  now: Date
  /** Only tried: nothing is touched. */
  dry: boolean
}

/** Where one can go back to in a thread, the oldest first. */
export async function listCheckpoints(context: UndoContext): Promise<CheckpointView[]> {
  if (context.checkpoints === undefined) return []
  const workspace = await openKept(context)
  return workspace === null ? [] : turnsIn(checkpointsOf(workspace.file, context.thread_id)).map(viewOf)
}

/** Takes back the last turn that still holds. */
export async function undoTurn(context: UndoContext, wish: Omit<Wish, 'to'>): Promise<GoneBack> {
  const workspace = await openKept(context)
  const turn = workspace && lastStanding(turnsIn(checkpointsOf(workspace.file, context.thread_id)))
  if (!turn) throw new Problem('not_found', 'nothing to undo: no turn has changed files that were not put back')
  return goBack(context, workspace, { ...wish, to: turn.number })
}

/** Makes everything the thread's agents changed as it was before a checkpoint. */
export async function restoreThread(context: UndoContext, wish: Wish): Promise<GoneBack> {
  const workspace = await openKept(context)
  const turns = workspace === null ? [] : turnsIn(checkpointsOf(workspace.file, context.thread_id))
  if (workspace === null || !turns.some(({ number }) => number === wish.to)) throw noCheckpoint(wish.to, turns)
  return goBack(context, workspace, wish)
}

/** Of which changes: all since a checkpoint, or those of the turn that left it; of one file alone where it is named. */
interface WhichChanges {
  since?: number | undefined
  turn?: number | undefined
  file?: string | undefined
}

/** What is different now from before a checkpoint, or from before the first; or what one turn changed. */
export async function diffThread(context: UndoContext, { since, turn, file }: WhichChanges): Promise<FileDiff[]> {
  if (since !== undefined && turn !== undefined)
    throw new Problem('bad_input', 'ask for what changed since a checkpoint, or in a turn, not both')
  const workspace = await openKept(context)
  if (turn === undefined) return workspace === null ? [] : diffSince(workspace, context.thread_id, since ?? 0, file)
  const turns = workspace === null ? [] : turnsIn(checkpointsOf(workspace.file, context.thread_id))
  const meant = turns.find(({ number }) => number === turn)
  if (workspace === null || meant === undefined) throw noCheckpoint(turn, turns)
  return diffOfTurn(workspace, meant).filter(({ path }) => file === undefined || path === file)
}

function noCheckpoint(number: number, turns: readonly FileTurn[]): Problem {
  const known = turns.map((one) => one.number).join(', ') || 'none'
  return new Problem('not_found', `there is no checkpoint ${number}; there are: ${known}`)
}

/** Forgets what was kept for a thread. */
export async function forgetCheckpoints(context: UndoContext): Promise<void> {
  const workspace = await openKept(context).catch(() => null)
  workspace?.file.transaction(() => removeCheckpoints(workspace.file, context.thread_id))
}

/** Where to go back to, and what to say to the one who is in the way. */
interface Wish {
  to: number
  /** Also where someone else has changed a file since; what is there is kept first. */
  force: boolean
  forced: NextStep
}

async function goBack(context: UndoContext, workspace: KeptWorkspace, { to, force, forced }: Wish): Promise<GoneBack> {
  const plan = planRestore(workspace, context.thread_id, to)
  if (context.dry) return { checkpoint: null, files: filesOf(plan), conflicts: plan.conflicts, missing: plan.missing, left: [] }
  if (!force) refuseConflicts(plan, forced)
  const call = { thread_id: context.thread_id, run_id: '', call_id: newId('restore', context.now) }
  const told = (restored: Restored) => tell(context, call.call_id, restored, to)
  const { number, restored, left } = await restore(workspace, plan, { call, to, now: context.now, told })
  const files = filesOf(plan).filter(({ path }) => restored.includes(path))
  return { checkpoint: number, files, conflicts: plan.conflicts, missing: plan.missing, left }
}

function refuseConflicts({ conflicts, missing }: RestorePlan, forced: NextStep): void {
  if (conflicts.length === 0 && missing.length === 0) return
  const parts = [
    ...(conflicts.length > 0 ? [`${counted(conflicts.length, 'file')} changed since the agent left them: ${shortList(conflicts)}`] : []),
    ...(missing.length > 0 ? [`${counted(missing.length, 'file')} cannot be brought back: ${shortList(missing)}`] : []),
  ]
  throw new Problem('conflict', `nothing was undone: ${parts.join('; ')}. Force it to undo the rest; what is there now is kept first`, {
    details: { conflicts, missing },
    next: [forced],
  })
}

/** The thread says it, so that the next model knows and the person sees it. Said once, also after a kill. */
async function tell(
  { driver, thread_id, now }: UndoContext,
  restoreId: string,
  { number, restored, left }: Restored,
  to: number,
): Promise<void> {
  const id = restoreId.replace(/^restore_/, 'entry_')
  if ((await entries.find(driver, id)) !== null) return
  const text = `The user went back to before checkpoint ${to}: ${counted(restored.length, 'file')} put back (${shortList(restored) || 'none'})${
    left.length === 0 ? '' : `; left as they are: ${shortList(left.map(({ path }) => path))}`
  }. What was done to them since then is gone: read them again before relying on them.`
  await driver.transaction(async (tx) => {
    const head = await newEntry(tx, thread_id, null, now)
    await entries.add(tx, { ...head, id, from: 'note', type: 'undo', text, details: { checkpoint: number, to, files: restored, left } })
  })
}

/** The checkpoints of a workspace, after what a killed process left was brought to its end; null where there are none yet. */
async function openKept(context: UndoContext): Promise<KeptWorkspace | null> {
  const { checkpoints, workspace: root, thread_id, now } = context
  if (checkpoints === undefined) throw new Problem('bad_input', 'checkpoints are turned off; set checkpoints.enabled to true to undo turns')
  if (!existsSync(checkpointFileOf(checkpoints.folder, root))) return null
  const workspace = keptWorkspace(checkpoints, root)
  if (!context.dry) await settle(workspace, thread_id, now, (of: Checkpoint, restored) => tell(context, of.call_id, restored, of.to ?? 0))
  return workspace
}

function viewOf({ number, kind, at, run_id, changes, unkept, undone }: FileTurn): CheckpointView {
  const files = changes.map((change) => ({ path: change.path, change: changeWord(change) }))
  return { number, kind, at, run_id, files, lost: unkept, undone }
}

function filesOf({ changes }: RestorePlan): GoneBack['files'] {
  return changes.map((change) => ({ path: change.path, change: changeWord(change) }))
}

function shortList(paths: readonly string[]): string {
  return `${paths.slice(0, 10).join(', ')}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}`
}
