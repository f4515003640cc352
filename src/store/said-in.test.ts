import assert from 'node:assert/strict'
import test from 'node:test'
import { Entry } from '../domain/entry.ts'
import { threadsSaying } from './said-in.ts'
import { entries } from './tables.ts'
import { databases } from './test-databases.ts'

for (const { database, open } of databases) {
  test(`[P16] threads are found by what people and models said in them, and signs of a search mean themselves, on ${database}`, async (t) => {
    const store = await open(t)
    const said = { one: 'The 100% right answer is a Quagga.', two: 'A C:\\quagga_path, "text" and all' }
    for (const [thread_id, text] of Object.entries(said)) {
      const at = '2026-01-01T00:00:00.000Z'
      await entries.add(store, Entry.parse({ id: `entry_${thread_id}`, thread_id, run_id: null, number: 1, at, from: 'user', text }))
    }

    const found = ['qUAGGA', '0% r', '100_', 'C:\\q', 'a_p', '"text"', 'thread_id', 'user'].map(async (words) =>
      [...(await threadsSaying(store, words))].toSorted(),
    )

    assert.deepEqual(await Promise.all(found), [['one', 'two'], ['one'], [], ['two'], ['two'], ['two'], [], []])
  })
}
