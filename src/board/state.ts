import { composeState, type BoardState } from '../domain/board-state.ts'
import { boardAgents, boardRecords, boards, tasks } from '../store/tables.ts'
import type { Shelf } from './desk.ts'

/** The whole board at one moment, as one document. */
export async function boardState({ driver, board_id }: Shelf): Promise<BoardState> {
  return driver.transaction(async (tx) => {
    return composeState(
      (await boards.get(tx, board_id)).item,
      items(await tasks.list(tx, { where: { board_id }, order: ['number'] })),
      items(await boardAgents.list(tx, { where: { board_id } })),
      items(await boardRecords.list(tx, { where: { board_id } })),
    )
  })
}

function items<Item>(stored: readonly { item: Item }[]): Item[] {
  return stored.map(({ item }) => item)
}
