import type { Board } from '../../domain/board/board.ts'
import { boards } from '../../store/tables.ts'
import { stopForLook } from './control.ts'
import type { BoardRepository } from '../desk.ts'
import { writeSprintReport } from '../view/sprint-report.ts'
import { boardOf } from '../find.ts'

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
