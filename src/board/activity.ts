import { Activity } from '../domain/board/event.ts'
import { fromJson } from '../store/record-json.ts'
import type { Driver } from '../store/driver.ts'
import { log } from '../store/log.ts'
import type { BoardRef } from './context.ts'

/** A line of the activity log with its number and time. */
export type ActivityLine = Activity & { seq: number; timestamp: string }

/** A line as it is said; what concerns no task in particular names none. */
type Said = Activity extends infer Line ? (Line extends Activity ? Omit<Line, 'task'> & { task?: string | null } : never) : never

/** Says in the activity log what was just done; in the same transaction, so that neither is there without the other. */
export async function recordActivity(tx: Driver, boardId: string, line: Said): Promise<void> {
  await log.append(tx, { topic: 'board', subject: boardId, data: { ...line, task: line.task ?? undefined } })
}

/** Says something that no other record goes with. */
export async function logActivity({ driver, board_id }: BoardRef, line: Said): Promise<void> {
  await driver.transaction((tx) => recordActivity(tx, board_id, line))
}

/** The activity of a board, oldest first: the last `limit` lines, or those after a number. */
export async function readActivity(
  driver: Driver,
  boardId: string,
  { after = 0, limit = 500 }: { after?: number; limit?: number } = {},
): Promise<ActivityLine[]> {
  const newest = `select seq, at, data from log where topic = 'board' and subject = $1 and seq > $2 order by seq desc limit $3`
  const rows = await driver.query<{ seq: number; at: string; data: string }>(newest, [boardId, after, limit])
  return rows.toReversed().map(({ seq, at, data }) => ({ ...Activity.parse(fromJson(data)), seq, timestamp: at }))
}
