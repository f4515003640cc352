import * as z from 'zod'
import { agentFlow, type BoardAgent } from '../../domain/board/agent.ts'
import type { Board } from '../../domain/board/board.ts'
import { isUrgent, type RecordOf } from '../../domain/board/record.ts'
import type { Violation } from '../../domain/board/rule.ts'
import { boardViolations } from '../../domain/board/validate.ts'
import { isFinal } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { openStates, taskFlow } from '../../domain/board/task-flow.ts'
import { whyNotMerged, type Task, type TaskEntry, type TaskPlan, type TaskClaim, type TaskReview } from '../../domain/board/task.ts'
import { boardAgents, boards, tasks } from '../../store/tables.ts'
import { readActivity } from '../activity.ts'
import type { RecordsContext, BoardRef } from '../context.ts'
import { recordsOf } from '../records.ts'
import { boardState } from '../view/state.ts'

/** Something a person should look at. The watcher tells; it never resumes, stops or kills anything. */
type Alarm = z.infer<typeof Alarm>
const Alarm = z.object({
  alarm: z.string(),
  task: z.string().nullable(),
  agent: z.string().nullable(),
  message: z.string(),
  /** The same for as long as the cause is the same: an alarm is raised once for each key. */
  key: z.string(),
})

/** More alarms than this are a count. */
const ALARMS_SHOWN = 100
/** A larger board is held against its rules by the team at work and when it is validated: here every other answer would wait. */
const TASKS_JUDGED = 500

export const listAlarms = defineOperation({
  name: 'board.list_alarms',
  summary: 'List what a person should look at now, such as silent agents, review loops and limits that come near',
  by: ['person'],
  effect: 'read',
  command: 'board alarms',
  input: z.strictObject({}),
  output: z.object({ alarms: z.array(Alarm), count: z.int() }),
  example: {},
  tell: ({ alarms }) => alarms.map(alarmText).join('\n') || 'No alarm.',
  run: async (context: RecordsContext) => {
    const small = (await tasks.count(context.driver, { board_id: context.board_id })) <= TASKS_JUDGED
    const alarms = await (small ? watchBoard : glanceAtBoard)(context)
    return { alarms: alarms.slice(0, ALARMS_SHOWN), count: alarms.length }
  },
})

/** An alarm in one line. */
export function alarmText({ alarm, task, agent, message }: Alarm): string {
  return `ALARM ${[alarm, task, agent].filter(Boolean).join(' ')}: ${message}`
}

/** All of a board that alarms are judged by. */
export interface WatchedBoard {
  board: Board
  tasks: Task[]
  agents: BoardAgent[]
  discoveries: RecordOf<'discovery'>[]
  last_activity: string | null
}

const MINUTE = 60_000
const LEASE_GRACE = 2 * MINUTE
const ORPHANED = MINUTE / 2
const STALE = 30 * MINUTE
const STUCK = 120 * MINUTE
const ABANDONED = 480 * MINUTE

/** Every alarm of a board at this moment. */
export async function watchBoard(board: BoardRef): Promise<Alarm[]> {
  const world = { now: await board.driver.now(), specExists: null, folderExists: null }
  return [...(await glanceAtBoard(board)), ...invalid(boardViolations(await boardState(board), world))]
}

/** The same without holding the whole record against its rules: what it costs does not grow with what is over. */
export async function glanceAtBoard(board: BoardRef): Promise<Alarm[]> {
  return alarmsOf(await lookAt(board), await board.driver.now())
}

/** Told once for each set of broken rules. */
function invalid(violations: readonly Violation[]): Alarm[] {
  const broken = violations
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, subject, message }) => `rule ${rule}, ${subject}: ${message}`)
  return broken.length === 0 ? [] : [raise('INVALID STATE', {}, broken.join('; '), broken.join('; '))]
}

async function lookAt(context: BoardRef): Promise<WatchedBoard> {
  const { driver, board_id } = context
  const [board, open, agents, discoveries, activity] = await Promise.all([
    boards.get(driver, board_id),
    tasks.items(driver, { where: { board_id, status: openStates } }), // what is over raises no alarm, and of that there may be thousands
    boardAgents.items(driver, { where: { board_id } }),
    recordsOf(context, 'discovery'),
    readActivity(driver, board_id, { limit: 1 }),
  ])
  return {
    board: board.item,
    tasks: open,
    agents,
    discoveries,
    last_activity: activity.at(-1)?.timestamp ?? null,
  }
}

/** The alarms of a board as it was seen, by the store's clock. */
export function alarmsOf(seen: WatchedBoard, now: Date): Alarm[] {
  const since = (time: string | null) => (time === null ? 0 : now.getTime() - Date.parse(time))
  const working = new Set(seen.agents.flatMap(({ id, status }) => (status === agentFlow.moves.work.to ? [id] : [])))
  return [
    ...seen.agents.flatMap((agent) => agentAlarms(agent, since)),
    ...seen.tasks.flatMap((task) => taskAlarms(task, seen.board, working, since)),
    ...seen.discoveries.filter(isUrgent).map(({ id, task, description }) => raise('IMMEDIATE DISCOVERY', { task }, description, id)),
    ...stalled(seen, since),
    ...signalAlarms(seen.board, since),
  ]
}

type Since = (time: string | null) => number

function agentAlarms({ id, current_task, lease_expires, generation }: BoardAgent, since: Since): Alarm[] {
  if (current_task === null || since(lease_expires) <= LEASE_GRACE) return []
  return [raise('LEASE EXPIRED', { agent: id, task: current_task }, `${id} has been silent since ${lease_expires}`, generation)]
}

function taskAlarms(task: Task, board: Board, working: ReadonlySet<string>, since: Since): Alarm[] {
  const { id, status, history, failed_by, review_cycles_current: cycles, review_lease_expires, reviewing_by, blocked_reason } = task
  const at = history.at(-1)?.time ?? task.created
  const about = { task: id }
  const found = (holds: boolean, alarm: string, message: string, key = at) => (holds ? [raise(alarm, about, message, key)] : [])
  const open = !isFinal(taskFlow, status)
  const idle = task.assigned_to === null || !working.has(task.assigned_to)
  return [
    ...found(
      reviewing_by !== null && since(review_lease_expires) > LEASE_GRACE,
      'REVIEW LEASE EXPIRED',
      `${reviewing_by} has left its review`,
    ),
    ...found(status === 'BLOCKED', 'BLOCKED', blocked_reason ?? 'blocked'),
    ...found(
      status === 'REJECTED' && idle && since(at) > ORPHANED,
      'ORPHANED REJECTED',
      `rejected, and ${task.assigned_to ?? 'nobody'} is not working on it`,
    ),
    ...found(open && cycles >= board.config.max_review_cycles, 'REVIEW LOOP', `rejected ${cycles} times in a row`, String(cycles)),
    ...found(status === 'INTEGRATION_FAILED', 'INTEGRATION FAILED', whyNotMerged(task)),
    ...found(open && failed_by.length >= 2, 'HYPOTHESIS EXHAUSTION', `${failed_by.join(' and ')} failed at it`, String(failed_by.length)),
    ...found(status === 'CLAIMED' && wasReassigned(task), 'REASSIGNED', `${task.assigned_to} has taken it over`),
    ...approaching(task, board).flatMap((message) => found(open, 'APPROACHING LIMIT', message, message)),
    ...found(status === 'DRAFT' && since(task.created) > STALE, 'STALE DRAFT', 'a draft for more than 30 minutes', task.created),
  ]
}

/** Said before a limit is reached, while something can still be done. */
function approaching(task: TaskPlan & TaskClaim & TaskReview, { config }: Board): string[] {
  const { iteration, max_iterations, review_cycles_current: cycles, failed_by } = task
  const most = max_iterations ?? config.max_coder_iterations
  const tried = iteration ?? 0
  return [
    ...(tried >= Math.ceil(most * 0.8) && tried < most ? [`iteration ${tried} of ${most}`] : []),
    ...(cycles >= Math.ceil(config.max_review_cycles * 0.6) && cycles < config.max_review_cycles
      ? [`rejected ${cycles} of ${config.max_review_cycles} times`]
      : []),
    ...(failed_by.length === 1 && cycles >= 3 ? [`${failed_by[0]} failed at it, and it was rejected ${cycles} times`] : []),
  ]
}

function wasReassigned({ assigned_to, history }: TaskEntry & TaskClaim): boolean {
  const first = history.find(({ event }) => event === 'claimed')
  return first !== undefined && first.agent !== assigned_to
}

/** Nothing has happened for long although there is something to do, and nobody has told the team to stand still. */
function stalled({ board, tasks: listed, last_activity }: WatchedBoard, since: Since): Alarm[] {
  const open = listed.some(({ status }) => !isFinal(taskFlow, status))
  if (!open || board.signal !== null || since(last_activity) <= STALE) return []
  return [raise('STALLED', {}, `nothing has happened since ${last_activity}`, last_activity ?? '')]
}

// oxfmt-ignore
const signalAges = {
  CHECKPOINT: [[ABANDONED, 'CHECKPOINT ABANDONED?'], [STUCK, 'CHECKPOINT STUCK'], [STALE, 'CHECKPOINT STALE']],
  PAUSE:      [[STUCK, 'PAUSE FORGOTTEN?'], [STALE, 'STALE PAUSE']],
  ABORT:      [],
} as const

function signalAlarms({ signal }: Board, since: Since): Alarm[] {
  if (signal === null) return []
  const reached = signalAges[signal.name].find(([age]) => since(signal.since) > age)
  return reached === undefined ? [] : [raise(reached[1], {}, `${signal.name} by ${signal.by} since ${signal.since}`, signal.since)]
}

function raise(alarm: string, about: { task?: string | null; agent?: string }, message: string, key: string): Alarm {
  const { task = null, agent = null } = about
  return { alarm, task, agent, message, key: [alarm, task, agent, key].join(' ') }
}
