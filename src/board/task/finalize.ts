import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { gatedText, gateFaults, type GateFault, type GateOverride } from '../../domain/board/task-gates.ts'
import { TaskId, TaskRecord, type Task, type TaskEntry, type TaskPlan, type TaskPlanning } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { checkDependencies, unmetOf } from './dependencies.ts'
import type { BoardRepository, RecordsContext } from '../context.ts'
import { needTask } from '../find.ts'
import { moveTask, refuseMove } from './move.ts'
import { keepSpecText, readSpec, whyNoSpec, type SpecText } from '../goal/spec.ts'
import { knownActor, type KnownActor } from '../agent/known-actor.ts'
import { integrationNow } from '../goal/take-in.ts'
import { uncommittedSpecNotice } from './submit/uncommitted.ts'

/** A wish that is logged. */
export const SkipSpecFileCheck = z.boolean().default(false).describe('the spec file need not exist; this is logged')
const Override = NonBlank.max(4_000).describe('let a vague criterion or a task of tests pass; only a person may, and the reason is logged')

/** The task that was finalized, and what a person has to know about its spec. */
const FinalizedTask = TaskRecord.extend({ notices: z.array(z.string()) })

/** It can be claimed when a person has approved the plan. */
export const finalizeTask = defineOperation({
  name: 'board.finalize_task',
  summary: 'Let a draft leave DRAFT once it passes every gate',
  advice: 'Let a DRAFT leave your desk; refused with the reason while a gate is not passed.',
  by: ['person', 'planner'],
  effect: 'change',
  command: 'board finalize <task>',
  input: z.strictObject({ task: TaskId, skip_spec_file_check: SkipSpecFileCheck, override: Override.optional() }),
  personal: ['skip_spec_file_check', 'override'],
  output: FinalizedTask,
  example: { task: 'task-1' },
  tell: ({ id, status, plan_approved_by }) =>
    `${id} is ${status}${plan_approved_by === null ? '; a person approves the plan before it is claimed' : ''}`,
  run: async (context: BoardRepository & RecordsContext, { task: taskId, ...options }) => {
    const { item: asked } = await needTask(context.driver, context.board_id, taskId)
    const spec = await readSpec(context.repository, await integrationNow(context), asked.spec_ref)
    const task = await context.driver.transaction(async (tx) => {
      const who = await knownActor(tx, context.board_id, context.actor)
      const given = { taskId, spec, specRef: asked.spec_ref, root: context.repository.root, ...options }
      return finalizeInside(tx, context.board_id, who, given)
    })
    return { ...task, notices: 'human' in context.actor ? await uncommittedSpecNotice(context, task.spec_ref) : [] }
  },
})

/** What finalizing a task needs to know, read before the transaction. */
export interface Finalizing {
  skip_spec_file_check?: boolean
  override?: string | undefined
  taskId: string
  specRef: string | null
  spec: SpecText | null
  /** The top of the project. */
  root: string
}

/** Finalizes inside a transaction that may do more. */
export async function finalizeInside(tx: Driver, boardId: string, who: KnownActor, given: Finalizing): Promise<Task> {
  const { taskId, spec, skip_spec_file_check = false } = given
  const was = await needTask(tx, boardId, taskId)
  refuseMove(was.item, 'finalize', who)
  if (was.item.spec_ref !== given.specRef) throw new Problem('conflict', `${taskId} was edited meanwhile; finalize it again`)
  const gates_overridden = overridesOf(was.item, who, given.override)
  refuseFaults(was.item, [
    ...gateFaults({ ...was.item, gates_overridden }),
    ...(spec === null && !skip_spec_file_check ? missingSpec(was.item, given.root, 'write the spec first, or skip this check') : []),
  ])
  await checkDependencies(tx, boardId, taskId, was.item.depends_on)
  const { config } = (await boards.get(tx, boardId)).item
  const plan_approved_by = config.auto_approve ? 'auto_approve' : null
  if (spec !== null) await keepSpecText(tx, boardId, spec)
  const override = gates_overridden.length > was.item.gates_overridden.length ? given.override : undefined
  const about = { kind: was.item.kind, ...(spec === null && { spec_file_unchecked: true }), ...(override !== undefined && { override }) }
  const finalized = await moveTask(
    tx,
    was,
    { move: 'finalize', by: who, event: 'finalized', about },
    {
      plan_approved_by,
      gates_overridden,
      unmet: await unmetOf(tx, { ...was.item, plan_approved_by }),
      spec_hash: spec?.spec_hash ?? null,
      spec_file_unchecked: spec === null,
    },
  )
  const detail =
    spec === null
      ? 'finalized without its spec file, on request'
      : `finalized${was.item.kind === 'code' ? '' : ` (${was.item.kind} only, no tests required)`}`
  if (override !== undefined) await recordActivity(tx, boardId, { agent: who.id, action: 'gate_override', task: taskId, detail: override })
  await recordActivity(tx, boardId, { agent: who.id, action: 'tasks_finalized', task: taskId, detail })
  return finalized.item
}

/** What a person lets pass: words that a gate judges. What is not there at all has to be said. */
function overridesOf(task: TaskPlan & TaskPlanning, { role, id }: KnownActor, reason: string | undefined): GateOverride[] {
  if (reason === undefined) return task.gates_overridden
  if (role !== 'human') throw new Problem('forbidden', `${id} may not let a task pass a gate; only a person may`)
  const passed = gateFaults(task).flatMap(({ gate }): GateOverride[] => {
    const text = gatedText(task, gate)
    return text !== null && (gate === 'done_when' || gate === 'tests') ? [{ gate, text, by: id, reason }] : []
  })
  return [...task.gates_overridden, ...passed]
}

/** The gate of a task whose spec is in no commit; one that cites none fails another gate. */
export function missingSpec({ spec_ref }: TaskPlan, root: string, example: string): GateFault[] {
  return spec_ref === null ? [] : [{ gate: 'spec_ref', reason: whyNoSpec(root, spec_ref), example }]
}

/** Refuses with every gate that failed, its reason and an example that would pass. */
export function refuseFaults({ id, status }: TaskEntry, faults: readonly GateFault[]): void {
  if (faults.length === 0) return
  const said = faults.map(({ gate, reason, example }) => `${gate}: ${reason} (for example: ${example})`)
  throw new Problem('bad_input', `${id} stays ${status}. ${said.join('. ')}`, { details: { task: id, faults } })
}
