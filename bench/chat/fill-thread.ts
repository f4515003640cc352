import { Entry } from '../../src/domain/entry.ts'
import { newId } from '../../src/domain/id.ts'
import type { Driver } from '../../src/store/driver.ts'
import { entries } from '../../src/store/tables.ts'

/** Fills a chat with messages: a person's and a model's in turns. */
export async function fillThread(driver: Driver, thread_id: string, messages: number, textOf: (number: number) => string): Promise<void> {
  await driver.transaction(async (tx) => {
    for (let number = 0; number < messages; number++) {
      const at = new Date()
      const common = { id: newId('entry', at), thread_id, number, run_id: null, at: at.toISOString(), text: textOf(number) }
      const spoken = { from: 'assistant', role: 'actor', model: 'm', type: 'text', calls: [], usage: {}, took_ms: 1 }
      await entries.add(tx, Entry.parse({ ...common, ...(number % 2 === 0 ? { from: 'user' } : spoken) }))
    }
  })
}
