import * as z from 'zod'
import type { BoardConfig } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { gateFaults } from '../../domain/board/task-gates.ts'
import {
  TaskChanges,
  TaskId,
  TaskRecord,
  type Task,
  type TaskPlan,
  type TaskEntry,
  type TaskClaim,
  type TaskPlanning,
} from '../../domain/board/task.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import type { Driver } from '../../store/driver.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { parsePlan } from './add.ts'
import type { BoardContext } from '../context.ts'
import { addRecord } from '../records.ts'
import { unmetOf } from './dependencies.ts'
import { missingSpec, refuseFaults } from './finalize.ts'
import { needTask } from '../find.ts'
import { moveTask, refuseMove } from './move.ts'
import { keepSpecText, readSpec, type SpecText } from '../goal/spec.ts'
import { actOn, type KnownActor } from '../agent/known-actor.ts'
import { integrationNow } from '../goal/take-in.ts'

/** What a blocked task may say differently when it goes back into play. */
const Redefinition = TaskChanges.pick({ description: true, spec_ref: true, done_when: true, scope: true, priority: true })
type Redefinition = Partial<Pick<TaskPlan, keyof typeof Redefinition.shape>>

/** It goes back with a fresh budget of attempts. After two failed coders it must also be redefined. */
export const unblockTask = defineOperation({
  name: 'board.unblock_task',
  summary: 'Answer a blocked task and put it back into play',
  advice: 'Answer a blocked task and put it back into play. After two failed coders it must also say something different.',
  by: ['person', 'planner'],
  effect: 'change',
  command: 'board unblock <task>',
  input: z.strictObject({ task: TaskId, answer: NonBlank.max(4_000).describe('what the coder needs to know'), ...Redefinition.shape }),
  output: TaskRecord,
  example: { task: 'task-1', answer: 'A page holds 50 users' },
  tell: ({ id, status }) => `${id} is ${status}`,
  run: async (context: BoardContext, { task: taskId, answer, ...said }) => {
    const changes: Redefinition = definedOnly(said)
    const { item: asked } = await needTask(context.driver, context.board_id, taskId)
    const spec = await readSpec(context.repository, await integrationNow(context), changes.spec_ref ?? asked.spec_ref)
    return actOn(context, context.actor, taskId, async (tx, who, was) => {
      refuseMove(was.item, 'unblock', who)
      refuseUnchanged(was.item, changes)
      const redefined = redefine(context, was.item, changes, spec)
      if (spec !== null) await keepSpecText(tx, context.board_id, spec)
      const { config } = (await boards.get(tx, context.board_id)).item
      const reframed = framedIn(was.item, changes)
      const plan_approved_by = approvalAfter(was.item, who, reframed, config)
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
      if (reframed.length > 0) await sayRescope(tx, was.item, reframed, answer)
      await addRecord(tx, context.board_id, { kind: 'human_note', task: taskId, by: who.id, message: answer })
      await recordActivity(tx, context.board_id, { agent: who.id, action: 'unblocked', task: taskId, detail: answer })
      return unblocked.item
    })
  },
})

/** The task with its changes, held to every gate again. */
function redefine({ repository }: BoardContext, task: Task, changes: Redefinition, spec: SpecText | null): Task {
  const redefined = { ...task, ...parsePlan({ ...task, ...changes }) }
  const unchecked = redefined.spec_file_unchecked && redefined.spec_ref === task.spec_ref
  const missing = spec === null && !unchecked ? missingSpec(redefined, repository.root, 'write the spec first') : []
  refuseFaults(redefined, [...gateFaults(redefined), ...missing])
  return redefined
}

/** A person approved the old words, so what a planner puts in their place waits for a person again. */
function approvalAfter(task: TaskPlanning, who: KnownActor, reframed: readonly string[], config: BoardConfig): string | null {
  if (who.role === 'human' || reframed.length === 0) return task.plan_approved_by
  return config.auto_approve ? 'auto_approve' : null
}

/** Two coders failed at it: the framing is presumed wrong, and the same words would fail a third. */
function refuseUnchanged(task: Task, changes: Redefinition): void {
  const { failed_by } = task
  if (failed_by.length < 2 || framedIn(task, changes).length > 0) return
  throw new Problem(
    'move_refused',
    `${failed_by.join(' and ')} failed at ${task.id}; it cannot go back unchanged. Change it, supersede it or abandon it`,
    { details: { task: task.id, failed_by } },
  )
}

/** In which fields it asks for something else than before. */
function framedIn(task: TaskPlan, changes: Redefinition): string[] {
  const framing = ['description', 'spec_ref', 'done_when', 'scope'] as const
  return framing.filter((field) => changes[field] !== undefined && changes[field] !== task[field])
}

/** Other words for a task move the goal as a replacement does, so the goal's history tells it. */
async function sayRescope(
  tx: Driver,
  { id, board_id, blocked_reason }: TaskEntry & TaskClaim,
  fields: string[],
  answer: string,
): Promise<void> {
  const summary = `redefined in ${fields.join(', ')}: ${answer} Root cause: ${blocked_reason}`
  await addRecord(tx, board_id, { kind: 'alignment', task: id, event: `rescope_${id}`, summary })
}
