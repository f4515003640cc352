import type { BoardRecord } from '../domain/board-record.ts'
import { newId } from '../domain/id.ts'
import type { Driver } from '../store/driver.ts'
import { boardRecords } from '../store/tables.ts'

type Unfiled<Item> = Item extends unknown ? Omit<Item, 'id' | 'board_id' | 'timestamp'> : never

/** Writes something down about a board, in the caller's transaction. */
export async function addRecord(tx: Driver, boardId: string, record: Unfiled<BoardRecord>): Promise<BoardRecord> {
  const now = await tx.now()
  const filed = { ...record, id: newId(record.kind, now), board_id: boardId, timestamp: now.toISOString() }
  return (await boardRecords.add(tx, filed)).item
}
