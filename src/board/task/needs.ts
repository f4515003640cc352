import { isUrgent } from '../../domain/board/record.ts'
import type { Board } from '../../domain/board/board.ts'
import { counted } from '../../domain/text/format.ts'
import type { Need } from '../../domain/need.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { countWaiting } from './approve-plan.ts'
import { recordsOf } from '../records.ts'
import { titleOf } from '../view/cards.ts'
import type { TaskClaim, TaskEntry, TaskPlan } from '../../domain/board/task.ts'

/** More blocked tasks than this are summed up in one line. */
const BLOCKED_NAMED = 100

/** Every checkpoint, plan, question, deadlock and immediate discovery of the boards that are in progress. */
export async function boardNeeds(driver: Driver): Promise<Need[]> {
  const open = (await boards.items(driver)).filter(({ goal }) => goal.status === 'IN_PROGRESS')
  const found = open.map(async (board) => [
    ...checkpoint(board),
    ...(await plan(driver, board)),
    ...(await blocked(driver, board)),
    ...(await discovered(driver, board)),
  ])
  return (await Promise.all(found)).flat()
}

function checkpoint({ id, goal, signal, circuit_breaker }: Board): Need[] {
  if (signal?.name !== 'CHECKPOINT') return []
  const tripped = circuit_breaker.current_trigger
  const title =
    tripped === null ? `Checkpoint${signal.message === '' ? '' : `: ${signal.message}`}` : `The circuit breaker tripped: ${tripped.pattern}`
  return [
    {
      id: `${id}/checkpoint`,
      kind: 'approval',
      title,
      detail: goal.description,
      severity: 'critical',
      link: `/board/${id}`,
      at: signal.since,
    },
  ]
}

async function plan(driver: Driver, { id, goal }: Board): Promise<Need[]> {
  const waiting = await countWaiting({ driver, board_id: id })
  if (waiting === 0) return []
  const [newest] = await tasks.items(driver, {
    where: { board_id: id, status: 'UNCLAIMED', unmet: { above: 0 } },
    order: ['-number'],
    limit: 1,
  })
  const title = `A plan of ${counted(waiting, 'task')} waits for your approval`
  const at = lastChange(newest)
  return [{ id: `${id}/plan`, kind: 'plan', title, detail: goal.description, severity: 'major', link: `/board/${id}`, at }]
}

async function blocked(driver: Driver, { id: board_id, goal }: Board): Promise<Need[]> {
  const where = { board_id, status: 'BLOCKED' }
  const found = await tasks.items(driver, { where, order: ['unmet', 'priority', 'number'], limit: BLOCKED_NAMED })
  const locked = await deadlocked(driver, board_id, found)
  const more = (await tasks.count(driver, where)) - found.length
  const rest: Need = {
    id: `${board_id}/blocked`,
    kind: 'task',
    title: `${more} more tasks are blocked`,
    detail: goal.description,
    severity: 'minor',
    link: `/board/${board_id}`,
    at: lastChange(found[0]),
  }
  return [...found.map((task) => blockedNeed(task, locked.has(task.id))), ...(more > 0 ? [rest] : [])]
}

function blockedNeed(task: TaskEntry & TaskPlan & TaskClaim, deadlock: boolean): Need {
  const [question = task.blocked_reason ?? 'It is blocked.'] = task.blocked_questions
  return {
    id: `${task.board_id}/${task.id}`,
    kind: 'task',
    title: deadlock ? `Review deadlock at ${task.id}: ${question}` : `${task.id} asks: ${question}`,
    detail: titleOf(task),
    severity: 'major',
    link: `/board/${task.board_id}/task/${task.id}`,
    at: lastChange(task),
  }
}

/** An immediate discovery that nobody has settled: the goal is not reached before somebody does. */
async function discovered(driver: Driver, { id: board_id }: Board): Promise<Need[]> {
  const waiting = (await recordsOf({ driver, board_id }, 'discovery')).filter(isUrgent)
  return waiting.slice(0, BLOCKED_NAMED).map(({ id, by, description, recommendation, timestamp }) => ({
    id: `${board_id}/${id}`,
    kind: 'question',
    title: `${by} found something urgent: ${description}`,
    detail: recommendation,
    severity: 'major',
    link: `/board/${board_id}`,
    at: timestamp,
  }))
}

/** Tasks whose reviewer and coder could not agree since they were last let back into play. */
async function deadlocked(driver: Driver, board_id: string, found: readonly TaskEntry[]): Promise<Set<string>> {
  if (found.length === 0) return new Set()
  const since = new Map(found.map(({ id, history }) => [id, history.findLast(({ event }) => event === 'unblocked')?.time ?? '']))
  const anomalies = await recordsOf({ driver, board_id }, 'anomaly', [...since.keys()])
  return new Set(
    anomalies.flatMap(({ type, task, timestamp }) =>
      type === 'review_deadlock' && task !== null && timestamp >= (since.get(task) ?? '') ? [task] : [],
    ),
  )
}

function lastChange(task: TaskEntry | undefined): string {
  return task?.history.at(-1)?.time ?? task?.created ?? new Date(0).toISOString()
}
