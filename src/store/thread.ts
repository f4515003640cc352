import type { Driver } from './driver.ts'

/**
 * The number the next entry of a thread gets. Ask inside the transaction that adds it:
 * a run and a person may write into the same thread at the same moment.
 */
export async function nextNumber(tx: Driver, threadId: string): Promise<number> {
  const [row] = await tx.query<{ last: number | null }>('select max(number) as last from "entries" where thread_id = $1', [threadId])
  return (row?.last ?? -1) + 1
}
