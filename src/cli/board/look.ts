import type { Command } from 'commander'
import { readActivity } from '../../board/activity.ts'
import { waitingForApproval } from '../../board/task/approve-plan.ts'
import { baseDistance, behindText } from '../../board/goal/base-branch.ts'
import { boardOf } from '../../board/find.ts'
import { recordsOf } from '../../board/records.ts'
import type { Board } from '../../domain/board/board.ts'
import { isUrgent } from '../../domain/board/record.ts'
import { boardMetrics } from '../../domain/board/metrics.ts'
import { durationText } from '../../domain/text/duration.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import { Problem } from '../../domain/problem.ts'
import type { Task } from '../../domain/board/task.ts'
import { visible } from '../../roles/fault.ts'
import { tasks } from '../../store/tables.ts'
import { boardVerb, looking, type BoardCall } from './context.ts'
import { tasksText } from './text.ts'
import { wholeNumber } from '../run/options.ts'
import { columns, inLine } from '../terminal.ts'

/** list, log, metrics, next: what can be seen of a board. */
export function defineBoardLook(noun: Command): void {
  boardVerb(noun, 'list', 'list the tasks').option('--status <state>', 'only those in this state').action(looking(list))
  boardVerb(noun, 'log', 'show what happened, newest last').option('--limit <number>', 'how many lines', '50').action(looking(log))
  boardVerb(noun, 'metrics', 'show the figures of the sprint, counted from the history').action(looking(metrics))
  boardVerb(noun, 'next', 'say what waits for whom').action(looking(next))
}

async function list({ board, options }: BoardCall<{ status?: string }>) {
  const { status } = options
  if (status !== undefined && !taskFlow.states.some((state) => state === status)) {
    throw new Problem('bad_input', `${status} is no state of a task; there are ${taskFlow.states.join(', ')}`)
  }
  const found = await all(board, status)
  const { value, line } = await distance(board)
  return { value: { tasks: found, ...value }, text: [tasksText(found), ...line].join('\n') }
}

async function log({ board, options }: BoardCall<{ limit: string }>) {
  const lines = await readActivity(board.driver, board.board_id, { limit: wholeNumber('--limit', options.limit) })
  return {
    value: { lines },
    text: columns(lines.map(({ timestamp, agent, action, task, detail }) => [timestamp, agent, action, task ?? '', inLine(detail)])),
  }
}

async function metrics({ board }: BoardCall<object>) {
  const figures = boardMetrics(await all(board))
  const { cycle_times_ms: times, rubber_stamp_warning: stamp, ...counts } = figures
  const rows = Object.entries(counts).map(([name, value]) => [name, String(value ?? '–')])
  const cycle = Object.entries(times).map(([id, ms]) => [`cycle time of ${id}`, durationText(ms)])
  return {
    value: figures,
    text: [columns([...rows, ...cycle]), ...(stamp ? ['Warning: nearly everything is approved; are the reviews real?'] : [])].join('\n'),
  }
}

async function next({ board }: BoardCall<object>) {
  const found = await all(board)
  const unapproved = await waitingForApproval(board)
  const { signal, goal } = await boardOf(board)
  const of = (...states: string[]) => found.filter(({ status }) => states.includes(status)).map(({ id }) => id)
  const value = {
    to_decide: signal === null ? [] : [`${signal.name} by ${signal.by} since ${signal.since}${signal.message && `: ${signal.message}`}`],
    to_finalize: of('DRAFT'),
    to_approve: unapproved.map(({ id }) => id),
    to_claim: found
      .filter(({ status, unmet }) => unmet === 0 && ['UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED'].includes(status))
      .map(({ id }) => id),
    to_review: of('READY_FOR_REVIEW'),
    to_merge: of('APPROVED'),
    to_answer: of('BLOCKED'),
    to_settle: (await recordsOf(board, 'discovery')).filter(isUrgent).map(({ id }) => id),
  }
  const rows = Object.entries(value).flatMap(([name, ids]) =>
    ids.length === 0 ? [] : [[name.replace('_', ' '), inLine(visible(ids.join(', ')))]],
  )
  const base = await distance(board)
  const text = [rows.length === 0 ? nothingWaits(goal, found) : columns(rows), ...base.line].join('\n')
  return { value: { ...value, ...base.value }, text }
}

/** How far the integration branch is behind its base; said only where it is. */
async function distance(board: BoardCall<object>['board']) {
  const { config } = await boardOf(board)
  const base = await baseDistance(board.repository, config)
  const text = behindText(config, base)
  return { value: { base }, line: text === '' ? [] : [`${text}: troupe board sync takes it in, and so do the next claim and merge`] }
}

function nothingWaits({ status, description }: Board['goal'], found: readonly Task[]): string {
  if (status !== 'IN_PROGRESS') return `The goal "${visible(description)}" is ${status}; troupe board init begins another.`
  return found.length === 0 ? tasksText(found) : 'Nothing waits.'
}

async function all({ driver, board_id }: BoardCall<object>['board'], status?: string) {
  const where = status === undefined ? { board_id } : { board_id, status }
  return await tasks.items(driver, { where, order: ['number'] })
}
