import * as z from 'zod'
import { boardKey } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import { openStates } from '../../domain/board/task-flow.ts'
import { NewTask, TaskId, TaskRecord, type Task, type TaskEntry, type TaskPlanning } from '../../domain/board/task.ts'
import { defineOperation } from '../../domain/operation.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { addTask, insertTask } from './add.ts'
import { addRecord } from '../records.ts'
import { clearAwayAndSay } from '../worktree/clear-away.ts'
import { checkDependencies, removeDependents, refusedDependency, addDependents, unmetOf } from './dependencies.ts'
import type { RecordsContext, BoardRepository } from '../context.ts'
import { finalizeInside, SkipSpecFileCheck } from './finalize.ts'
import { needTask } from '../find.ts'
import { moveTask, refuseMove, tellTask } from './move.ts'
import { readSpec } from '../goal/spec.ts'
import { actOn, type KnownActor } from '../agent/known-actor.ts'
import { integrationNow } from '../goal/take-in.ts'
import { completeWhenReached } from '../team/upkeep/complete-goal.ts'

const why = {
  reason: NonBlank.max(4_000).describe('why it does not stay as it is'),
  root_cause: NonBlank.max(4_000).describe('what failed, and why'),
}
type Why = Record<keyof typeof why, string>

/** The original, the reason and the root cause stay on record. */
export const supersedeTask = defineOperation({
  name: 'board.supersede_task',
  summary: 'Replace a task by better ones',
  advice: 'Replace a task by better ones: one redefines it, several split it. What waited for it waits for them.',
  by: ['person', 'planner'],
  effect: 'final',
  command: 'board supersede <task>',
  input: z.strictObject({
    task: TaskId,
    ...why,
    replacements: z.array(NewTask).min(1, 'name at least one; to drop the task, abandon it').max(20),
    skip_spec_file_check: SkipSpecFileCheck,
  }),
  personal: ['skip_spec_file_check'],
  output: z.object({ task: TaskRecord, replacements: z.array(TaskRecord) }),
  example: { task: 'task-1', reason: 'Too large', root_cause: 'Two features in one task', replacements: [addTask.example] },
  tell: ({ task, replacements }) => `${task.id} is ${task.status} by ${replacements.map(({ id }) => id).join(', ')}`,
  run: async (context: BoardRepository & RecordsContext, { task: taskId, replacements, skip_spec_file_check, ...said }) => {
    const { item: asked } = await needTask(context.driver, context.board_id, taskId)
    const planned = replacements.map((plan) => ({ ...plan, spec_ref: plan.spec_ref ?? asked.spec_ref }))
    const at = await integrationNow(context)
    const specs = await Promise.all(planned.map(({ spec_ref }) => readSpec(context.repository, at, spec_ref)))
    const done = await actOn(context, context.actor, taskId, async (tx, who, was) => {
      refuseMove(was.item, 'supersede', who)
      const ids: string[] = []
      for (const [number, plan] of planned.entries()) {
        const added = await insertTask(tx, await boards.get(tx, context.board_id), who, { ...plan, supersedes: taskId })
        const spec = specs[number] ?? null
        const given = { taskId: added.id, specRef: added.spec_ref, spec, root: context.repository.root, skip_spec_file_check }
        ids.push((await finalizeInside(tx, context.board_id, who, given)).id)
      }
      const task = await close(tx, context.board_id, who, taskId, 'supersede', said, ids)
      await retarget(tx, task, ids, who)
      return { task, replacements: await Promise.all(ids.map(async (id) => (await needTask(tx, context.board_id, id)).item)) }
    })
    await clearAwayAndSay(context, done.task)
    return done
  },
})

/** Refused while others wait for it: they would wait for ever. */
export const abandonTask = defineOperation({
  name: 'board.abandon_task',
  summary: 'Drop a task for good',
  by: ['person', 'planner'],
  effect: 'final',
  command: 'board abandon <task>',
  input: z.strictObject({ task: TaskId, ...why }),
  output: TaskRecord,
  example: { task: 'task-1', reason: 'Not needed', root_cause: 'The spec dropped it' },
  tell: ({ id, status }) => `${id} is ${status}`,
  run: async (context: BoardRepository & RecordsContext, { task: taskId, ...said }) => {
    const task = await actOn(context, context.actor, taskId, async (tx, who, { item }) => {
      refuseMove(item, 'abandon', who)
      const waiting = await openDependents(tx, item)
      if (waiting.length > 0)
        throw new Problem('conflict', `${waiting.join(', ')} wait for ${taskId}; supersede or abandon them first, or supersede ${taskId}`)
      return close(tx, context.board_id, who, taskId, 'abandon', said, [])
    })
    const closed = await clearAwayAndSay(context, task)
    await completeWhenReached(context.driver, context.board_id) // with nothing left the goal would stay open, and no other could be begun
    return closed
  },
})

async function close(
  tx: Driver,
  boardId: string,
  who: KnownActor,
  taskId: string,
  move: 'supersede' | 'abandon',
  { reason, root_cause }: Why,
  by: string[],
): Promise<Task> {
  const was = await needTask(tx, boardId, taskId)
  const event = move === 'supersede' ? 'superseded' : 'abandoned'
  const rescope_reason = `${reason} Root cause: ${root_cause}`
  const step = { move, by: who, event, about: { reason, root_cause } } as const
  const changes = { superseded_by: by, rescope_reason, worktree: null, worktree_by: null, lease_expires: null }
  const closed = await moveTask(tx, was, step, changes)
  await removeDependents(tx, was.item)
  const into = by.length > 0 ? ` by ${by.join(', ')}` : ''
  const summary = `${event}${into}: ${rescope_reason}`
  await addRecord(tx, boardId, { kind: 'alignment', task: taskId, event: `rescope_${taskId}`, summary })
  const action = move === 'supersede' ? 'rescoped' : 'abandoned'
  await recordActivity(tx, boardId, { agent: who.id, action, task: taskId, detail: `${event}${into}: ${reason}`, root_cause })
  return closed.item
}

async function retarget(tx: Driver, task: TaskEntry & TaskPlanning, to: string[], who: KnownActor): Promise<void> {
  for (const id of await openDependents(tx, task)) {
    if (to.includes(id)) throw refusedDependency(`${id} cannot depend on ${task.id}, which it replaces`)
    const was = await needTask(tx, task.board_id, id)
    const depends_on = [...new Set(was.item.depends_on.flatMap((dependency) => (dependency === task.id ? to : [dependency])))]
    await checkDependencies(tx, task.board_id, id, depends_on) // a replacement may wait for what waited for the task
    const unmet = await unmetOf(tx, { ...was.item, depends_on })
    const event = { by: who, event: 'dependency_retargeted', about: { from: task.id, to } } as const
    const stored = await tellTask(tx, was, event, { depends_on, unmet })
    await addDependents(tx, stored.item)
  }
}

async function openDependents(tx: Driver, { board_id, dependents }: TaskEntry & TaskPlanning): Promise<string[]> {
  const found = await tasks.items(tx, { where: { id: dependents.map((id) => boardKey({ board_id, id })), status: openStates } })
  return found.map(({ id }) => id)
}
