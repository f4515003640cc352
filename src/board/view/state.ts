import * as z from 'zod'
import { composeState, type BoardState } from '../../domain/board/state.ts'
import { defineOperation } from '../../domain/operation.ts'
import { boardAgents, boardRecords, boards, tasks } from '../../store/tables.ts'
import type { RecordsContext } from '../context.ts'
import type { BoardRef } from '../desk.ts'

export const exportBoard = defineOperation({
  name: 'board.export',
  summary: 'Give the whole board as one document, which can be validated and imported',
  by: ['person'],
  effect: 'read',
  command: 'board export',
  input: z.strictObject({}),
  output: z.custom<BoardState>(),
  example: {},
  tell: (state) => JSON.stringify(state, null, 2),
  run: (context: RecordsContext) => boardState(context),
})

/** The whole board at one moment, as one document. */
export async function boardState({ driver, board_id }: BoardRef): Promise<BoardState> {
  return driver.transaction(async (tx) => {
    return composeState(
      (await boards.get(tx, board_id)).item,
      await tasks.items(tx, { where: { board_id }, order: ['number'] }),
      await boardAgents.items(tx, { where: { board_id } }),
      await boardRecords.items(tx, { where: { board_id } }),
    )
  })
}
