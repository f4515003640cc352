import type { Entry } from '../domain/entry.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { entries } from '../store/run-tables.ts'

/** The note that a run which ended badly leaves in its thread; null where it left none. */
export async function errorNote(driver: Driver, run: Run): Promise<Extract<Entry, { from: 'note' }> | null> {
  const thread = await entries.list(driver, { where: { thread_id: run.thread_id }, order: ['-number'], limit: 20 })
  for (const { item } of thread) if (item.from === 'note' && item.type === 'error' && item.run_id === run.id) return item
  return null
}
