import { Problem } from '../domain/problem.ts'
import { gateFaults } from '../domain/task-gates.ts'
import type { Task, TaskPlan } from '../domain/task.ts'
import type { Driver } from '../store/driver.ts'
import { boards } from '../store/tables.ts'
import { sayActivity } from './activity.ts'
import { parsePlan } from './add.ts'
import { addRecord } from './records.ts'
import { unmetOf } from './dependencies.ts'
import type { Actor, Place } from './desk.ts'
import { missingSpec, refuseFaults } from './finalize.ts'
import { needTask } from './find.ts'
import { moveTask, mustMove } from './move.ts'
import { keepSpecText, readSpec } from './spec.ts'
import { actOn } from './standing.ts'
import { integrationNow } from './take-in.ts'

/** What may be said anew about a task that was blocked. */
export type Redefinition = Partial<Pick<TaskPlan, 'description' | 'spec_ref' | 'done_when' | 'scope' | 'priority'>>

export interface UnblockRequest {
  /** What the coder asked, answered; it reaches the next coder's prompt. */
  answer: string
  changes?: Redefinition
}

/** Answers a blocked task and puts it back into play with a fresh budget. After two failed coders it must also be defined anew. */
export async function unblockTask(desk: Place, actor: Actor, taskId: string, { answer, changes = {} }: UnblockRequest): Promise<Task> {
  if (answer.trim() === '') throw new Problem('bad_input', 'say what unblocks the task; the next coder reads it')
  const { item: asked } = await needTask(desk.driver, desk.board_id, taskId)
  const spec = await readSpec(desk.repository, await integrationNow(desk), changes.spec_ref ?? asked.spec_ref)
  return actOn(desk, actor, taskId, async (tx, who, was) => {
    mustMove(was.item, 'unblock', who)
    refuseUnchanged(was.item, changes)
    const redefined = { ...was.item, ...parsePlan({ ...was.item, ...changes }) }
    const unchecked = redefined.spec_file_unchecked && redefined.spec_ref === was.item.spec_ref
    refuseFaults(redefined, [
      ...gateFaults(redefined),
      ...(spec === null && !unchecked ? missingSpec(redefined, desk.repository.root, 'write the spec first') : []),
    ])
    if (spec !== null) await keepSpecText(tx, desk.board_id, spec)
    const { config } = (await boards.get(tx, desk.board_id)).item
    // A person approved the old words; what a planner puts in their place is for a person to approve again.
    const framedAnew = framedIn(was.item, changes)
    const approves = who.role === 'human' || framedAnew.length === 0
    const anew = config.auto_approve ? 'auto_approve' : null
    const plan_approved_by = approves ? was.item.plan_approved_by : anew
    const step = { move: 'unblock', by: who, event: 'unblocked', about: { answer, changed: Object.keys(changes) } } as const
    const unblocked = await moveTask(tx, was, step, {
      ...redefined,
      assigned_to: null,
      blocked_reason: null,
      blocked_questions: [],
      attempted: [],
      review_cycles_current: 0,
      max_iterations: (was.item.iteration ?? 0) + config.max_coder_iterations,
      spec_hash: spec?.spec_hash ?? null,
      spec_file_unchecked: spec === null,
      plan_approved_by,
      unmet: await unmetOf(tx, { ...was.item, plan_approved_by }),
    })
    if (framedAnew.length > 0) await sayRescope(tx, was.item, framedAnew, answer)
    await addRecord(tx, desk.board_id, { kind: 'human_note', task: taskId, by: who.id, message: answer })
    await sayActivity(tx, desk.board_id, { agent: who.id, action: 'unblocked', task: taskId, detail: answer })
    return unblocked.item
  })
}

/** Two coders failed at it: the framing is presumed wrong, and the same words would fail a third. */
function refuseUnchanged(task: Task, changes: Redefinition): void {
  const { failed_by } = task
  if (failed_by.length < 2 || framedIn(task, changes).length > 0) return
  throw new Problem(
    'move_refused',
    `${failed_by.join(' and ')} failed at ${task.id}; it cannot go back unchanged. Say it anew, supersede it or abandon it`,
    { details: { task: task.id, failed_by } },
  )
}

/** In which fields it asks for something else than before. */
function framedIn(task: Task, changes: Redefinition): string[] {
  const framing = ['description', 'spec_ref', 'done_when', 'scope'] as const
  return framing.filter((field) => changes[field] !== undefined && changes[field] !== task[field])
}

/** Other words for a task move the goal as a replacement does, so the goal's history tells it. */
async function sayRescope(tx: Driver, { id, board_id, blocked_reason }: Task, fields: string[], answer: string): Promise<void> {
  const summary = `redefined in ${fields.join(', ')}: ${answer} Root cause: ${blocked_reason}`
  await addRecord(tx, board_id, { kind: 'alignment', task: id, event: `rescope_${id}`, summary })
}
