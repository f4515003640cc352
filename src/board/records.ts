import { hash } from 'node:crypto'
import { byTime, type BoardRecord, type BoardRecordKind, type RecordOf } from '../domain/board/record.ts'
import { newId } from '../domain/id.ts'
import type { Driver } from '../store/driver.ts'
import { boardRecords } from '../store/tables.ts'
import type { BoardRef } from './context.ts'

type Unfiled<Item> = Item extends unknown ? Omit<Item, 'id' | 'board_id' | 'timestamp'> : never

/** Writes something down about a board, in the caller's transaction. */
export async function addRecord(tx: Driver, boardId: string, record: Unfiled<BoardRecord>): Promise<BoardRecord> {
  const now = await tx.now()
  const filed = { ...record, id: newId(record.kind, now), board_id: boardId, timestamp: now.toISOString() }
  return (await boardRecords.add(tx, filed)).item
}

/** The same under a name that follows from what it says, so that it is written once; true when it was not there yet. */
export async function addOnce(tx: Driver, boardId: string, name: string, record: Unfiled<BoardRecord>): Promise<boolean> {
  const id = `${boardId}/${name}`
  if ((await boardRecords.find(tx, id)) !== null) return false
  await boardRecords.add(tx, { ...record, id, board_id: boardId, timestamp: (await tx.now()).toISOString() })
  return true
}

/** Records of a kind, oldest first: of the whole board, or of a task. */
export async function recordsOf<Kind extends BoardRecordKind>(
  { driver, board_id }: BoardRef,
  kind: Kind,
  task?: string | readonly (string | null)[],
): Promise<RecordOf<Kind>[]> {
  const where = { board_id, kind, ...(task !== undefined && { task }) }
  const found = await boardRecords.items(driver, { where, order: ['id'] })
  return found.filter((record): record is RecordOf<Kind> => record.kind === kind).toSorted(byTime)
}

/** A short name for a state that may be long; equal states have equal names. */
export function fingerprint(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32)
}
