import * as z from 'zod'
import { Board, RetrospectiveNote } from '../../domain/board/board.ts'
import { boardMetrics } from '../../domain/board/metrics.ts'
import { defineOperation } from '../../domain/operation.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type RecordsContext } from '../context.ts'

/** After a checkpoint, at the end, or in between; the figures of that moment are kept with it. */
export const addRetrospective = defineOperation({
  name: 'board.add_retrospective',
  summary: 'Write down what you make of the sprint; its figures are kept with it',
  by: ['person'],
  effect: 'change',
  command: 'board retrospective <notes>',
  input: z.strictObject(RetrospectiveNote.shape),
  output: Board.shape.sprint.shape.retrospective.unwrap().unwrap(),
  example: { notes: 'The plan held', spec_gaps: ['The order of lists'], actions: ['Write it down'] },
  tell: () => 'Kept with the figures of the sprint.',
  run: async ({ driver, board_id, actor }: RecordsContext, said) => {
    const by = needPerson(actor)
    return driver.transaction(async (tx) => {
      const was = await boards.get(tx, board_id)
      const all = await tasks.items(tx, { where: { board_id } })
      const { decisions = [], records = [], ...more } = was.item.sprint.retrospective ?? {}
      const record = { ...said, timestamp: (await tx.now()).toISOString(), by, metrics: numbersOf(boardMetrics(all)) }
      const retrospective = { ...more, decisions, records: [...records, record] }
      await recordActivity(tx, board_id, { agent: by, action: 'retrospective', detail: said.notes })
      await boards.replace(tx, was, { ...was.item, sprint: { ...was.item.sprint, retrospective } })
      return retrospective
    })
  },
})

/** The time of each task is in its history; a record of the sprint keeps the sums. */
function numbersOf(metrics: object): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}
