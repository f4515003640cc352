import type { PlainAction } from '../../domain/board/event.ts'
import * as z from 'zod'
import {
  anomalyTypes,
  checkAnomaly,
  Anomaly,
  BoardRecord,
  Discovery,
  discoveryFields,
  HumanNote,
  isUrgent,
  SpecChange,
  type RecordOf,
} from '../../domain/board/record.ts'
import { defineOperation } from '../../domain/operation.ts'
import { TaskId, type Task } from '../../domain/board/task.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { newId } from '../../domain/id.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { addRecord, recordsOf } from '../records.ts'
import { needPerson, type RepositoryContext, type RecordsContext, type Actor, type BoardRef } from '../context.ts'
import { needTask } from '../find.ts'
import { moveAgent, refuseOtherHolder, tellTask } from '../task/move.ts'
import { needSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { completeWhenReached } from '../team/upkeep/complete-goal.ts'
import { actOn, knownActor, type KnownActor } from '../agent/known-actor.ts'

type Input = z.input<typeof BoardRecord>
/** What whoever writes a record says; who, when and on which board is ours to know. */
export type Said<Kind extends Input['kind'], Ours extends string = never> = Omit<
  Extract<Input, { kind: Kind }>,
  'id' | 'board_id' | 'timestamp' | 'kind' | Ours
>

const About = TaskId.optional().describe('the task it concerns')

/** The details are those its type requires. */
export const logAnomaly = defineOperation({
  name: 'board.log_anomaly',
  summary: 'Log something that went wrong',
  advice: 'Log an anomaly the moment you meet it. details holds what its type requires, e.g. {count, error_pattern} of a retry_loop.',
  by: ['person', 'planner', 'coder', 'code_reviewer'],
  effect: 'change',
  command: 'board anomaly <type>',
  input: z.strictObject({
    type: z.enum(anomalyTypes),
    details: z.record(z.string(), z.unknown()).default({}).describe('what its type requires'),
    task: About,
  }),
  output: Anomaly,
  example: { type: 'spec_ambiguity', details: { spec_ref: 'specs/api.md#pages', question: 'What is the size of a page?' } },
  tell: ({ type, id }) => `logged ${type} as ${id}`,
  run: (context: RecordsContext, said) => {
    const checked = checkAnomaly(said.type, said.details)
    const detail = [checked.type, ...wordsOf(checked.details)].join(': ')
    return write(context, context.actor, said.task ?? null, ({ id }) => ({
      record: { kind: 'anomaly', reporter: id, ...checked },
      action: 'anomaly',
      detail,
    }))
  },
})

/** What the details say in words; lists and numbers are in the record. */
function wordsOf(details: Record<string, unknown>): string[] {
  const words = Object.values(details).filter((value) => typeof value === 'string')
  return words.length === 0 ? [] : [words.join('; ')]
}

export const logDiscovery = defineOperation({
  name: 'board.log_discovery',
  summary: 'Report work that was come across and not done',
  advice: 'Report work you came across and do not do. immediate wakes the planner.',
  by: ['person', 'coder'],
  effect: 'change',
  command: 'board discover <description>',
  input: z.strictObject({ ...discoveryFields, task: About }),
  output: Discovery,
  example: { description: 'The export loads every row', severity: 'medium' },
  tell: ({ id }) => `reported as ${id}`,
  run: (context: RecordsContext, { task: during, ...said }) =>
    write(context, context.actor, during ?? null, ({ id }) => ({
      record: { kind: 'discovery', ...said, by: id },
      action: 'discovered',
      detail: said.description,
    })),
})

const reason = NonBlank.max(4_000).optional()

/** A goal whose last open question this was is reached with it. */
export const settleDiscovery = defineOperation({
  name: 'board.settle_discovery',
  summary: 'Say what becomes of an immediate discovery: a task, something for later, or nothing',
  advice: 'Say what becomes of a discovery: the task it has become, why it waits (defer), or why it becomes no task (reject).',
  by: ['person', 'planner'],
  effect: 'change',
  command: 'board settle [discovery]',
  input: z
    .strictObject({
      discovery: z.string().optional().describe('its id; the one that waits when left out'),
      task: TaskId.optional().describe('the task it has become'),
      defer: reason.describe('why it can wait'),
      reject: reason.describe('why it becomes no task'),
    })
    .refine(({ task: made, defer, reject }) => [made, defer, reject].filter((said) => said !== undefined).length === 1, {
      error: 'say what becomes of it: exactly one of task, defer and reject',
    }),
  output: Discovery,
  example: { discovery: 'discovery_1', defer: 'Nothing depends on it yet' },
  tell: ({ id, converted_to_task, dismissed }) => `${id} is ${converted_to_task ?? (dismissed === null ? 'deferred' : 'rejected')}`,
  run: async (context: RecordsContext, { discovery, task: converted_to_task, defer, reject }) => {
    const { driver, board_id } = context
    const settled = await driver.transaction(async (tx) => {
      const who = await knownActor(tx, board_id, context.actor)
      if (who.role !== 'planner' && who.role !== 'human')
        throw new Problem('forbidden', `${who.id} may not settle a discovery; the planner or the human does`)
      const id = discovery ?? (await onlyUrgent({ driver: tx, board_id }))
      const was = await boardRecords.find(tx, id)
      if (was?.item.kind !== 'discovery' || was.item.board_id !== board_id)
        throw new Problem('not_found', `there is no discovery ${id} on this board`)
      if (converted_to_task !== undefined) await needTask(tx, board_id, converted_to_task)
      const changes = defer === undefined ? definedOnly({ converted_to_task, dismissed: reject }) : { urgency: 'deferred' as const }
      const answered = { ...was.item, ...changes }
      const detail = converted_to_task ?? defer ?? reject ?? ''
      await recordActivity(tx, board_id, { agent: who.id, action: 'discovery_settled', task: answered.task, detail })
      await boardRecords.replace(tx, was, answered)
      return answered
    })
    await completeWhenReached(driver, board_id)
    return settled
  },
})

async function onlyUrgent(board: BoardRef): Promise<string> {
  const waiting = (await recordsOf(board, 'discovery')).filter(isUrgent).map(({ id }) => id)
  if (waiting.length === 1) return waiting.join()
  throw new Problem('bad_input', waiting.length === 0 ? 'no discovery waits for an answer' : `say which discovery: ${waiting.join(', ')}`)
}

export const addHumanNote = defineOperation({
  name: 'board.add_note',
  summary: 'Send a note to the agents of a task, or to the whole team',
  by: ['person'],
  effect: 'change',
  command: 'board note <message>',
  input: z.strictObject({ message: NonBlank.max(4_000), task: About.describe('only those who work on it') }),
  output: HumanNote,
  example: { message: 'Mind the order of the list', task: 'task-1' },
  tell: () => 'Noted; it reaches the next prompt.',
  run: (context: RecordsContext, { task: about, message }) => {
    const by = needPerson(context.actor)
    const record = { kind: 'human_note', message, by } as const
    return write(context, context.actor, about ?? null, () => ({ record, action: 'human_note', detail: message }))
  },
})

export const recordSpecChange = defineOperation({
  name: 'board.record_spec_change',
  summary: 'Record that a spec was edited, and why',
  by: ['person'],
  effect: 'change',
  command: 'board spec-change',
  input: z.strictObject({
    spec: NonBlank.max(1_000).describe('which, with #section'),
    change: NonBlank.max(4_000).describe('what changed'),
    triggered_by: NonBlank.max(1_000).describe('the task or the event behind it'),
  }),
  output: SpecChange,
  example: { spec: 'specs/paging.md#users', change: 'Says the order', triggered_by: 'task-1' },
  tell: ({ spec }) => `Recorded: ${spec}`,
  run: async (context: RepositoryContext, said) => {
    await needSpec(context.repository, [await integrationNow(context)], said.spec)
    const detail = `${said.spec}: ${said.change}`
    return write(context, context.actor, null, ({ id }) => ({
      record: { kind: 'spec_change', ...said, by: id },
      action: 'spec_updated',
      detail,
    }))
  },
})

/** An agent that has to stop leaves word for the next one; its claim is free at once, and its worktree stays as it is. */
export async function handOver(board: BoardRef, actor: Actor, said: Said<'handoff', 'agent'>): Promise<RecordOf<'handoff'>> {
  return write(board, actor, said.task, async (who, tx) => {
    const was = await needTask(tx, board.board_id, said.task ?? '')
    refuseOtherHolder(was.item, who)
    if (was.item.status !== 'CLAIMED')
      throw new Problem('move_refused', `${was.item.id} is ${was.item.status}; only a CLAIMED task can be handed over`)
    const now = await tx.now()
    const event = { by: who, event: 'handoff', about: { summary: said.summary, next_action: said.next_action } } as const
    await tellTask(tx, was, event, { handoff_pending: true, lease_expires: now.toISOString() })
    if (who.agent !== null) await moveAgent(tx, who.agent, 'hand_over', { current_task: null, lease_expires: now.toISOString() })
    const detail = `${said.summary}; next: ${said.next_action}`
    return { record: { kind: 'handoff', ...said, agent: who.id }, action: 'handoff', detail }
  })
}

/** Before it starts a coder states what it will do; the reviewer holds the work against it. */
export async function addCheckpoint(board: BoardRef, actor: Actor, taskId: string, checkpoint: Record<string, unknown>): Promise<Task> {
  return actOn(board, actor, taskId, async (tx, who, was) => {
    refuseOtherHolder(was.item, who)
    const event = { by: who, event: 'pre_execution_checkpoint', about: { checkpoint } } as const
    return (await tellTask(tx, was, event)).item
  })
}

interface Told<Kind> {
  record: { kind: Kind }
  action: PlainAction
  detail: string
}

/** Writes what somebody tells about a task or the board as a record, and as a line of the activity log. */
async function write<Kind extends BoardRecord['kind']>(
  board: BoardRef,
  actor: Actor,
  task: string | null,
  tell: (who: KnownActor, tx: Driver) => Told<Kind> | Promise<Told<Kind>>,
): Promise<RecordOf<Kind>> {
  return board.driver.transaction(async (tx) => {
    const who = await knownActor(tx, board.board_id, actor)
    if (task !== null) await needTask(tx, board.board_id, task)
    const { record, action, detail } = await tell(who, tx)
    const added = await addRecord(tx, board.board_id, recordOf({ ...record, task }))
    await recordActivity(tx, board.board_id, { agent: who.id, action, task, detail })
    return added as RecordOf<Kind> // the kind that was told
  })
}

/** Fills in defaults, and refuses what does not fit with every field that is wrong. */
function recordOf(given: object): BoardRecord {
  const placeholders = { id: newId('record', new Date(0)), board_id: '-', timestamp: new Date(0).toISOString() }
  return fitting(BoardRecord, { ...placeholders, ...given }, 'this cannot be written down')
}
