import type { Board } from '../../../domain/board/board.ts'
import type { BoardAction } from '../../../domain/board/event.ts'
import type { TaskEntry, TaskReview } from '../../../domain/board/task.ts'
import { asProblem } from '../../../domain/problem.ts'
import { boards, tasks } from '../../../store/tables.ts'
import type { ActivityLine } from '../../activity.ts'
import type { BoardRepository } from '../../context.ts'
import { boardOf } from '../../find.ts'
import { stopForLook } from '../../goal/control.ts'
import { lookForPatterns } from '../../health/circuit-breaker.ts'
import { mergeWork } from '../../task/merge.ts'
import { writeSprintReport } from '../../view/sprint-report.ts'
import { sweepWorktrees } from '../../worktree/clear-away.ts'
import type { TeamContext } from '../context.ts'
import { isOver } from '../work-on-assignment.ts'
import { completeWhenReached } from './complete-goal.ts'

/** After these there may be something to merge. */
const merges: readonly BoardAction[] = ['approved', 'resumed']

/** After these the goal may be reached. */
const finishes: readonly BoardAction[] = ['merged', 'abandoned', 'rescoped', 'discovery_settled', 'planner_rests', 'resumed']

/** For work whose merging process died, which nobody says. */
const LOOK_MS = 2_000
const SWEEP_MS = 30_000

/**
 * Everything on a board that needs no judgement, done by the one who supervises: approved work is merged in its reviewer's name,
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

const AT_ONCE = 4

/**
 * Merges what is approved, in the name of the one who approved it; also when that reviewer is long gone.
 * With a test merges go on side by side, so that a long one keeps nobody waiting; without one they would only race for the branch.
 */
export function createMerger({ board, say }: Pick<TeamContext, 'board' | 'say'>) {
  const stopping = new AbortController()
  const merging = new Set<string>()
  const going = new Set<Promise<void>>() // longer than what it merges: a stop waits for its look for more, too
  const told = new Map<string, string>() // why a task could not be merged; it is tried again and again

  async function mergeApproved(): Promise<void> {
    const { driver, board_id } = board
    const { signal, config } = (await boards.get(driver, board_id)).item
    const most = config.integration_test === null ? 1 : AT_ONCE
    if (signal !== null || merging.size >= most || stopping.signal.aborted) return
    const approved = { where: { board_id, status: 'APPROVED' }, order: ['priority', 'number'] } as const
    for (const task of await tasks.items(driver, { ...approved, limit: most + merging.size })) {
      if (merging.has(task.id)) continue
      if (merging.size >= most || stopping.signal.aborted) return
      merging.add(task.id)
      const done = mergeAndGoOn(task).finally(() => going.delete(done))
      going.add(done)
    }
  }

  async function mergeAndGoOn(task: TaskEntry & TaskReview): Promise<void> {
    const merged = await mergeOne(task)
    merging.delete(task.id)
    if (merged) await mergeApproved().catch((error: unknown) => say(`no more could be merged for now: ${asProblem(error).message}`))
  }

  async function mergeOne({ id, approved_by }: TaskEntry & TaskReview): Promise<boolean> {
    try {
      await mergeWork(board, { supervisor: approved_by ?? 'supervisor' }, id, stopping.signal)
      return true
    } catch (error) {
      const { code, message } = asProblem(error)
      // Another process has it, or had it a moment ago; what is still unmerged is looked at again.
      if (code === 'busy' || code === 'move_refused' || stopping.signal.aborted || told.get(id) === message) return false
      told.set(id, message)
      say(`${id} could not be merged: ${message}`)
      return false
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(going)
  }

  return { mergeApproved, stop }
}

/** Stops a sprint whose deadline has passed for a person's look, and writes its report. Once: after that look it goes on. */
export async function keepDeadline(context: BoardRepository): Promise<void> {
  if (!isDue(await boardOf(context), await context.driver.now())) return
  const stopped = await context.driver.transaction(async (tx) => {
    const { item: board } = await boards.get(tx, context.board_id)
    if (!isDue(board, await tx.now())) return false // another process was quicker
    const why = `the deadline ${board.sprint.timeline.deadline} has passed`
    await stopForLook({ ...context, driver: tx }, 'supervisor', why, 'supervisor')
    return true
  })
  if (stopped) await writeSprintReport(context)
}

function isDue({ signal, sprint }: Board, now: Date): boolean {
  const { deadline, checkpoint_at } = sprint.timeline
  if (signal !== null || sprint.status !== 'IN_PROGRESS' || deadline === null || now < new Date(deadline)) return false
  return checkpoint_at === null || checkpoint_at < deadline
}
