import type { Board } from '../domain/board.ts'
import { boards } from '../store/tables.ts'
import { checkpointBoard } from './control.ts'
import type { Place } from './desk.ts'
import { writeSprintReport } from './sprint-report.ts'
import { boardOf } from './find.ts'

/** Stops a sprint whose deadline has passed for a person's look, and writes its report. Once: after that look it goes on. */
export async function keepDeadline(desk: Place): Promise<void> {
  if (!isDue(await boardOf(desk), await desk.driver.now())) return
  const stopped = await desk.driver.transaction(async (tx) => {
    const { item: board } = await boards.get(tx, desk.board_id)
    if (!isDue(board, await tx.now())) return false // another process was quicker
    const why = `the deadline ${board.sprint.timeline.deadline} has passed`
    await checkpointBoard({ ...desk, driver: tx }, 'supervisor', why, 'supervisor')
    return true
  })
  if (stopped) await writeSprintReport(desk)
}

function isDue({ signal, sprint }: Board, now: Date): boolean {
  const { deadline, checkpoint_at } = sprint.timeline
  if (signal !== null || sprint.status !== 'IN_PROGRESS' || deadline === null || now < new Date(deadline)) return false
  return checkpoint_at === null || checkpoint_at < deadline
}
