import type { TaskEventName } from '../../../domain/board/event.ts'
import { boardKey, type Board } from '../../../domain/board/board.ts'
import { isUrgent, type RecordOf } from '../../../domain/board/record.ts'
import { claimableStates, statesWhere } from '../../../domain/board/task-flow.ts'
import { whyNotMerged, type Task, type TaskEntry } from '../../../domain/board/task.ts'
import type { Driver } from '../../../store/driver.ts'
import { boardAgents, boardRecords, tasks } from '../../../store/tables.ts'
import { recordsOf, fingerprint } from '../../records.ts'

/** Why a planner is woken. */
export type Trigger =
  | 'INITIAL_PLANNING'
  | 'BLOCKED_TASK'
  | 'HYPOTHESIS_EXHAUSTED'
  | 'INTEGRATION_FAILED'
  | 'IMMEDIATE_DISCOVERY'
  | 'SYSTEM_AMBIGUITY'
  | 'UNFINISHED_DRAFTS'

/** One thing a planner has to look at. */
export interface PlannerCause {
  trigger: Trigger
  task: string | null
  /** What it is about, for the prompt. */
  about: string
  /** The same for as long as nothing about the cause has changed. */
  fingerprint: string
}

/** Causes no planner has handled yet, lowest priority number first, then the oldest. */
export async function openCauses(driver: Driver, board: Board): Promise<PlannerCause[]> {
  const causes = await allCauses(driver, board)
  const open: PlannerCause[] = []
  for (const cause of causes) if (!(await isTaken(driver, board.id, cause))) open.push(cause)
  return open
}

/** Where it is written down that a cause has been before a planner. */
export function wakeId(boardId: string, { fingerprint: name }: Pick<PlannerCause, 'fingerprint'>): string {
  return `${boardId}/wake/${name}`
}

/** Whether a planner is at work, and may be about to add the next task. */
export async function someonePlans(driver: Driver, boardId: string): Promise<boolean> {
  const wakes = await recordsOf({ driver, board_id: boardId }, 'wake')
  for (const wake of wakes) if (wake.done === null && (await isWakeAlive(driver, wake))) return true
  return false
}

async function allCauses(driver: Driver, board: Board): Promise<PlannerCause[]> {
  const where = { board_id: board.id }
  const { id, description: about } = board.goal
  const initial: PlannerCause = { trigger: 'INITIAL_PLANNING', task: null, about, fingerprint: fingerprint('initial', id) }
  if (board.tasks_added === board.base_tasks) return [initial]
  const status = [...new Set([...claimableStates, ...statesWhere(({ phase }) => phase === 'blocked')])]
  const troubled = await tasks.items(driver, { where: { ...where, status }, order: ['priority', 'number'] })
  const drafts = await tasks.items(driver, { where: { ...where, status: 'DRAFT' }, order: ['number'] })
  const found = await recordsOf({ driver, board_id: board.id }, 'discovery')
  const anomalies = await recordsOf({ driver, board_id: board.id }, 'anomaly')
  // A plan whose planner died in the middle looks like a whole one: it is looked at again, or the goal would be reached too soon.
  const begun = await boardRecords.find(driver, wakeId(board.id, initial))
  return [
    ...(begun === null ? [] : [initial]),
    ...troubled.flatMap(causeOf),
    ...found.filter(isUrgent).map(discoveryCause),
    ...anomalies.flatMap(ambiguityCause),
    ...((await someonePlans(driver, board.id)) ? [] : draftCause(drafts)),
  ]
}

/** A task that went back unchanged after two failures would fail a third; it comes before the planner whatever its state. */
function causeOf(task: Task): PlannerCause[] {
  const { id, status, failed_by, history, blocked_reason } = task
  const last = (event: TaskEventName) => history.findLastIndex((entry) => entry.event === event)
  if (status === 'BLOCKED') {
    const trigger = failed_by.length >= 2 ? 'HYPOTHESIS_EXHAUSTED' : 'BLOCKED_TASK'
    return [{ trigger, task: id, about: blocked_reason ?? 'blocked', fingerprint: fingerprint('blocked', id, last('blocked')) }]
  }
  if (status === 'INTEGRATION_FAILED') {
    const about = whyNotMerged(task)
    return [{ trigger: 'INTEGRATION_FAILED', task: id, about, fingerprint: fingerprint('integration', id, last('integration_failed')) }]
  }
  const dealtWith = last('unblocked') > last('blocked')
  if (failed_by.length < 2 || dealtWith) return []
  const about = `${failed_by.join(' and ')} failed at it`
  return [{ trigger: 'HYPOTHESIS_EXHAUSTED', task: id, about, fingerprint: fingerprint('exhausted', id, failed_by) }]
}

function discoveryCause({ id, task, description }: RecordOf<'discovery'>): PlannerCause {
  return { trigger: 'IMMEDIATE_DISCOVERY', task, about: `${id}: ${description}`, fingerprint: fingerprint('discovery', id) }
}

/** Instructions that another agent found unclear. What a planner finds unclear it brings before a person itself. */
function ambiguityCause({ id, task, type, reporter, details }: RecordOf<'anomaly'>): PlannerCause[] {
  if (type !== 'system_ambiguity' || !/^(coder|code-reviewer)-\d+$/.test(reporter)) return []
  const about = `${reporter} on ${String(details['protocol_section'])}: ${String(details['question'])}`
  return [{ trigger: 'SYSTEM_AMBIGUITY', task, about, fingerprint: fingerprint('ambiguity', id) }]
}

/** What a planner that was cut off left half done. Nobody completes for a person what that person is still writing. */
function draftCause(all: readonly TaskEntry[]): PlannerCause[] {
  const drafts = all.filter(({ history }) => /^planner-\d+$/.test(history.at(-1)?.agent ?? ''))
  if (drafts.length === 0) return []
  const ids = drafts.map(({ id }) => id)
  const state = drafts.map(({ id, history }) => [id, history.length])
  return [{ trigger: 'UNFINISHED_DRAFTS', task: null, about: ids.join(', '), fingerprint: fingerprint('drafts', state) }]
}

/** Before a planner already: it is through with it, or it is at it and alive. */
async function isTaken(driver: Driver, boardId: string, cause: PlannerCause): Promise<boolean> {
  const found = await boardRecords.find(driver, wakeId(boardId, cause))
  if (found?.item.kind !== 'wake') return false
  return found.item.done !== null || isWakeAlive(driver, found.item)
}

/** Whether the planner that was woken is still the one that was registered then, and alive. */
export async function isWakeAlive(driver: Driver, { board_id, by, generation }: RecordOf<'wake'>): Promise<boolean> {
  const agent = await boardAgents.find(driver, boardKey({ board_id, id: by }))
  return agent?.item.generation === generation && new Date(agent.item.lease_expires) > (await driver.now())
}
