import { isUrgent } from '../../domain/board/record.ts'
import { counted } from '../../domain/text/counted.ts'
import { asProblem } from '../../domain/problem.ts'
import { tasks } from '../../store/tables.ts'
import { countWaiting } from '../task/approve-plan.ts'
import type { BoardRef } from '../desk.ts'
import { boardOf } from '../find.ts'
import { recordsOf } from '../records.ts'
import type { TeamContext } from './context.ts'

/** More of a kind than this are counted. */
const NAMED = 5

/** Everything on a board that only a person can do now, each with the command that does it. */
export async function waitingForPerson(board: BoardRef): Promise<string[]> {
  const { tasks_added, base_tasks, goal } = await boardOf(board)
  if (goal.status !== 'IN_PROGRESS') return []
  const blocked = await tasks.items(board.driver, { where: { board_id: board.board_id, status: 'BLOCKED' }, order: ['priority', 'number'] })
  const found = (await recordsOf(board, 'discovery')).filter(isUrgent)
  const unplanned = tasks_added === base_tasks
  return [
    ...(unplanned ? ['There is no plan: troupe board add writes a task, troupe team --planner --spec FILE has the goal planned'] : []),
    ...(await waitingPlan(board)),
    ...some(blocked, ({ id, blocked_questions, blocked_reason }) => {
      return `${id} asks: ${blocked_questions[0] ?? blocked_reason ?? ''} Answer it: troupe board unblock ${id} --answer "ANSWER"`
    }),
    ...some(
      found,
      ({ id, description }) => `Found: ${description} Settle it: troupe board settle ${id} --defer "WHY" (or --reject, --task)`,
    ),
  ]
}

function some<Item>(items: readonly Item[], say: (item: Item) => string): string[] {
  const more = items.length > NAMED ? [`and ${items.length - NAMED} more: troupe board next`] : []
  return [...items.slice(0, NAMED).map(say), ...more]
}

async function waitingPlan(board: BoardRef): Promise<string[]> {
  const waiting = await countWaiting(board)
  return waiting === 0 ? [] : [`${counted(waiting, 'task')} waiting for a person to approve the plan: troupe board approve-plan`]
}

/** Says at once that a plan waits when its planner is through, and once more only when there is more of it. */
export function tellWaitingPlan({ board, feed, say }: TeamContext): () => void {
  let last = ''
  const look = async () => {
    const [text = ''] = await waitingPlan(board)
    if (text !== '' && text !== last) say(text)
    last = text
  }
  return feed.listen((lines) => {
    if (lines.some(({ action }) => action === 'planner_rests')) void look().catch((error: unknown) => say(asProblem(error).message))
  })
}
