import type * as z from 'zod'
import { RetrospectiveNote, type Board } from '../../domain/board/board.ts'
import { boardMetrics } from '../../domain/board/metrics.ts'
import { Problem } from '../../domain/problem.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRef } from '../desk.ts'

/** Writes down what a person makes of the sprint, with the figures it stands at: after a checkpoint, at the end, or in between. */
export async function addRetrospective(
  { driver, board_id }: BoardRef,
  by: string,
  given: z.input<typeof RetrospectiveNote>,
): Promise<Board> {
  const parsed = RetrospectiveNote.safeParse(given)
  if (!parsed.success) throw new Problem('bad_input', 'a retrospective says what went well, what did not, and why; its notes are empty')
  return driver.transaction(async (tx) => {
    const was = await boards.get(tx, board_id)
    const all = await tasks.items(tx, { where: { board_id } })
    const { decisions = [], records = [], ...more } = was.item.sprint.retrospective ?? {}
    const record = { ...parsed.data, timestamp: (await tx.now()).toISOString(), by, metrics: numbersOf(boardMetrics(all)) }
    const retrospective = { ...more, decisions, records: [...records, record] }
    await recordActivity(tx, board_id, { agent: by, action: 'retrospective', detail: parsed.data.notes })
    return (await boards.replace(tx, was, { ...was.item, sprint: { ...was.item.sprint, retrospective } })).item
  })
}

/** The time of each task is in its history; a record of the sprint keeps the sums. */
function numbersOf(metrics: object): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}
