import type { Entry } from '../domain/entry.ts'
import { newId } from '../domain/id.ts'
import type { Driver } from './driver.ts'

/** What every new entry begins with. Ask inside the transaction that adds it: a run and a person may write into a thread at the same moment. */
export async function newEntry(tx: Driver, threadId: string, runId: string | null, now: Date): Promise<EntryHead> {
  return { id: newId('entry', now), thread_id: threadId, number: await nextNumber(tx, threadId), run_id: runId, at: now.toISOString() }
}

export type EntryHead = Pick<Entry, 'id' | 'thread_id' | 'number' | 'run_id' | 'at'>

/** The number the next entry of a thread gets; to be asked like the above. */
export async function nextNumber(tx: Driver, threadId: string): Promise<number> {
  const [row] = await tx.query<{ last: number | null }>('select max(number) as last from "entries" where thread_id = $1', [threadId])
  return (row?.last ?? -1) + 1
}
