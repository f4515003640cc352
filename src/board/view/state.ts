import { composeState, type BoardState } from '../../domain/board/state.ts'
import { boardAgents, boardRecords, boards, tasks } from '../../store/tables.ts'
import type { BoardRef } from '../desk.ts'

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
