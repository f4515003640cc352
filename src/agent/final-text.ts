import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { entries } from '../store/run-tables.ts'

/** What a run said last: its answer, when it has completed. */
export async function finalText(driver: Driver, run: Run): Promise<string> {
  const thread = await entries.list(driver, { where: { thread_id: run.thread_id }, order: ['-number'] })
  const reply = thread.find(({ item }) => item.from === 'assistant' && item.run_id === run.id)?.item
  return reply?.from === 'assistant' ? reply.text : ''
}
