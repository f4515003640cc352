import type { BoardAction } from '../../../domain/board/event.ts'
import { asProblem } from '../../../domain/problem.ts'
import type { ActivityLine } from '../../activity.ts'
import { lookForPatterns } from '../../health/circuit-breaker.ts'
import { keepDeadline } from '../../goal/deadline.ts'
import { boardOf } from '../../find.ts'
import { sweepWorktrees } from '../../worktree/sweep.ts'
import { isOver } from '../work-on-assignment.ts'
import { completeWhenReached } from './complete-goal.ts'
import { createMerger } from './merger.ts'
import type { TeamContext } from '../context.ts'

/** After these there may be something to merge. */
const merges: readonly BoardAction[] = ['approved', 'resumed']

/** After these the goal may be reached. */
const finishes: readonly BoardAction[] = ['merged', 'abandoned', 'rescoped', 'discovery_settled', 'planner_rests', 'resumed']

/** For work whose merging process died, which nobody says. */
const LOOK_MS = 2_000
const SWEEP_MS = 30_000

/**
 * Everything on a board that needs no judgement, done by whoever supervises: approved work is merged in its reviewer's name,
 * the circuit breaker looks at what was logged, the deadline is kept, worktrees of closed tasks are cleared away, and a goal that is reached is said to be.
 */
export function startBoardUpkeep(team: TeamContext, { completesGoal }: { completesGoal: boolean }): { stop: () => Promise<void> } {
  const { board, feed } = team
  const merger = createMerger(team)
  let last: Promise<unknown> = Promise.resolve()

  function inTurn(work: () => Promise<unknown>): void {
    last = last.then(work).catch((error: unknown) => team.say(asProblem(error).message))
  }

  async function attendTo(line: ActivityLine): Promise<void> {
    if (line.action === 'anomaly') await lookForPatterns(board)
    if (merges.includes(line.action)) await merger.mergeApproved()
    if (completesGoal && finishes.includes(line.action)) await completeWhenReached(board.driver, board.board_id)
  }

  /** What was logged while no team was at work was said to nobody. */
  async function lookBack(): Promise<void> {
    if (!isOver(await boardOf(board))) await lookForPatterns(board)
  }

  async function lookAround(): Promise<void> {
    await keepDeadline(board)
    await merger.mergeApproved()
    if (completesGoal) await completeWhenReached(board.driver, board.board_id)
  }

  const stopListening = feed.listen((lines) => {
    for (const line of lines) inTurn(() => attendTo(line))
  })
  inTurn(lookBack)
  inTurn(lookAround)
  inTurn(() => sweepWorktrees(board))
  const timers = [setInterval(() => inTurn(lookAround), LOOK_MS), setInterval(() => inTurn(() => sweepWorktrees(board)), SWEEP_MS)]
  return {
    stop: async () => {
      stopListening()
      for (const timer of timers) clearInterval(timer)
      await last
      await merger.stop()
    },
  }
}
