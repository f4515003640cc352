import type * as z from 'zod'
import { checkAnomaly } from '../../domain/board/anomaly.ts'
import { BoardRecord, type RecordOf } from '../../domain/board/record.ts'
import { fitting } from '../../domain/text/fitting.ts'
import { newId } from '../../domain/id.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { addRecord } from '../records.ts'
import type { Actor, BoardRepository, BoardRef } from '../desk.ts'
import { needTask } from '../find.ts'
import { moveAgent, refuseOtherHolder, withEvent } from '../task/move.ts'
import { needSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { actOn, knownActor, type KnownActor } from '../agent/known-actor.ts'

type Input = z.input<typeof BoardRecord>
/** What whoever writes a record says; who, when and on which board is ours to know. */
export type Said<Kind extends Input['kind'], Ours extends string = never> = Omit<
  Extract<Input, { kind: Kind }>,
  'id' | 'board_id' | 'timestamp' | 'kind' | Ours
>

/** Writes down something that went wrong, with the details its type requires. */
export async function reportAnomaly(
  board: BoardRef,
  actor: Actor,
  said: { task: string | null; type: string; details: unknown },
): Promise<RecordOf<'anomaly'>> {
  const checked = checkAnomaly(said.type, said.details)
  const detail = [checked.type, ...wordsOf(checked.details)].join(': ')
  return write(board, actor, said.task, ({ id }) => ({ record: { kind: 'anomaly', reporter: id, ...checked }, action: 'anomaly', detail }))
}

/** What the details say in words; lists and numbers stand in the record. */
function wordsOf(details: Record<string, unknown>): string[] {
  const words = Object.values(details).filter((value) => typeof value === 'string')
  return words.length === 0 ? [] : [words.join('; ')]
}

/** Writes down work that was come across and not done. */
export async function reportDiscovery(board: BoardRef, actor: Actor, said: Said<'discovery', 'by'>): Promise<RecordOf<'discovery'>> {
  const detail = said.description
  return write(board, actor, said.task, ({ id }) => ({ record: { kind: 'discovery', ...said, by: id }, action: 'discovered', detail }))
}

/** The planner's answer to a discovery: a task, or a reason why there is none. */
export async function settleDiscovery(
  board: BoardRef,
  actor: Actor,
  id: string,
  answer: { converted_to_task: string } | { dismissed: string } | { deferred: string },
): Promise<RecordOf<'discovery'>> {
  return board.driver.transaction(async (tx) => {
    const who = await knownActor(tx, board.board_id, actor)
    if (who.role !== 'planner' && who.role !== 'human')
      throw new Problem('forbidden', `${who.id} may not settle a discovery; the planner or the human does`)
    const was = await boardRecords.find(tx, id)
    if (was?.item.kind !== 'discovery' || was.item.board_id !== board.board_id)
      throw new Problem('not_found', `there is no discovery ${id} on this board`)
    if ('converted_to_task' in answer) await needTask(tx, board.board_id, answer.converted_to_task)
    const changes = 'deferred' in answer ? { urgency: 'deferred' as const } : answer
    const settled = { ...was.item, ...changes }
    const detail = Object.values(answer).join()
    await recordActivity(tx, board.board_id, { agent: who.id, action: 'discovery_settled', task: settled.task, detail })
    await boardRecords.replace(tx, was, settled)
    return settled
  })
}

/** A word of the human to whoever works on a task, or to the whole team. */
export async function addHumanNote(board: BoardRef, human: string, said: Said<'human_note', 'by'>): Promise<RecordOf<'human_note'>> {
  if (said.message.trim() === '') throw new Problem('bad_input', 'the message is empty; say what the team should know')
  const record = { kind: 'human_note', ...said, by: human } as const
  return write(board, { human }, said.task, () => ({ record, action: 'human_note', detail: said.message }))
}

/** Says that a spec of the project was edited, and why. */
export async function addSpecChange(
  board: BoardRepository,
  actor: Actor,
  said: Said<'spec_change', 'by'>,
): Promise<RecordOf<'spec_change'>> {
  await needSpec(board.repository, [await integrationNow(board)], said.spec)
  const detail = `${said.spec}: ${said.change}`
  return write(board, actor, said.task, ({ id }) => ({ record: { kind: 'spec_change', ...said, by: id }, action: 'spec_updated', detail }))
}

/** An agent that has to stop leaves word for the next one; its claim is free at once, and its worktree stays as it is. */
export async function handOver(board: BoardRef, actor: Actor, said: Said<'handoff', 'agent'>): Promise<RecordOf<'handoff'>> {
  return write(board, actor, said.task, async (who, tx) => {
    const was = await needTask(tx, board.board_id, said.task ?? '')
    refuseOtherHolder(was.item, who)
    if (was.item.status !== 'CLAIMED')
      throw new Problem('move_refused', `${was.item.id} is ${was.item.status}; only a CLAIMED task can be handed over`)
    const now = await tx.now()
    const event = { by: who, event: 'handoff', about: { summary: said.summary, next_action: said.next_action } }
    await tasks.replace(tx, was, withEvent({ ...was.item, handoff_pending: true, lease_expires: now.toISOString() }, event, now))
    if (who.agent !== null) await moveAgent(tx, who.agent, 'hand_over', { current_task: null, lease_expires: now.toISOString() })
    const detail = `${said.summary}; next: ${said.next_action}`
    return { record: { kind: 'handoff', ...said, agent: who.id }, action: 'handoff', detail }
  })
}

/** Before it starts a coder states what it will do; the reviewer holds the work against it. */
export async function addCheckpoint(board: BoardRef, actor: Actor, taskId: string, checkpoint: Record<string, unknown>): Promise<void> {
  await actOn(board, actor, taskId, async (tx, who, was) => {
    refuseOtherHolder(was.item, who)
    const event = { by: who, event: 'pre_execution_checkpoint', about: { checkpoint } }
    await tasks.replace(tx, was, withEvent(was.item, event, await tx.now()))
  })
}

interface Told<Kind> {
  record: { kind: Kind }
  action: string
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
