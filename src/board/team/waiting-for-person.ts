import { isUrgent } from '../../domain/board/record.ts'
import { counted } from '../../domain/text/format.ts'
import { asProblem, type Notice } from '../../domain/problem.ts'
import { tasks } from '../../store/tables.ts'
import { countWaiting } from '../task/approve-plan.ts'
import type { BoardRef } from '../context.ts'
import { boardOf } from '../find.ts'
import { recordsOf } from '../records.ts'
import type { TeamContext } from './context.ts'

/** More of a kind than this are counted. */
const NAMED = 5

/** Everything on a board that only a person can do now. */
export async function waitingForPerson(board: BoardRef): Promise<Notice[]> {
  const { tasks_added, base_tasks, goal } = await boardOf(board)
  if (goal.status !== 'IN_PROGRESS') return []
  const blocked = await tasks.items(board.driver, { where: { board_id: board.board_id, status: 'BLOCKED' }, order: ['priority', 'number'] })
  const found = (await recordsOf(board, 'discovery')).filter(isUrgent)
  const unplanned = tasks_added === base_tasks
  return [
    ...(unplanned ? [noPlan] : []),
    ...(await waitingPlan(board)),
    ...some(blocked, ({ id, blocked_questions, blocked_reason }) => ({
      text: `${id} asks: ${blocked_questions[0] ?? blocked_reason ?? ''}`,
      next: [{ operation: 'board.unblock_task', input: { task: id, answer: 'ANSWER' } }],
    })),
    ...some(found, ({ id, description }) => ({
      text: `Found: ${description}`,
      next: [{ operation: 'board.settle_discovery', input: { discovery: id, defer: 'WHY' } }],
    })),
  ]
}

const noPlan: Notice = {
  text: 'There is no plan; add a task, or give the goal a spec and have it planned',
  next: [{ operation: 'board.add_task' }, { operation: 'board.specify_goal' }, { operation: 'board.start_team' }],
}

function some<Item>(items: readonly Item[], say: (item: Item) => Notice): Notice[] {
  const more = items.length > NAMED ? [{ text: `and ${items.length - NAMED} more`, next: [{ operation: 'board.list_waiting' }] }] : []
  return [...items.slice(0, NAMED).map(say), ...more]
}

/** Says that tasks wait for a person to approve the plan, if any do. */
async function waitingPlan(board: BoardRef): Promise<Notice[]> {
  const waiting = await countWaiting(board)
  const next = [{ operation: 'board.approve_plan' }]
  return waiting === 0 ? [] : [{ text: `${counted(waiting, 'task')} waiting for a person to approve the plan`, next }]
}

/** Says at once that a plan waits when its planner is through, and once more only when there is more of it. */
export function tellWaitingPlan({ board, feed, say }: TeamContext): () => void {
  let last = ''
  const look = async () => {
    const [waiting] = await waitingPlan(board)
    if (waiting !== undefined && waiting.text !== last) say(waiting.text, waiting.next)
    last = waiting?.text ?? ''
  }
  return feed.listen((lines) => {
    if (lines.some(({ action }) => action === 'planner_rests')) void look().catch((error: unknown) => say(asProblem(error).message))
  })
}
