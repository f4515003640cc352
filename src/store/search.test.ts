import assert from 'node:assert/strict'
import test from 'node:test'
import { Chat } from '../domain/chat.ts'
import { Entry } from '../domain/entry.ts'
import type { Driver } from './driver.ts'
import { findTexts, wordsIn } from './search.ts'
import { chats, entries } from './tables.ts'
import { databases } from './test-databases.ts'

const at = '2026-01-01T00:00:00.000Z'

for (const { database, open } of databases) {
  test(`[V67] what was said is found by the beginnings of its words, in capitals or not, whatever signs are around them, on ${database}`, async (t) => {
    const store = await open(t)
    await say(store, 'one', 'The Quagga lives in src/zoo/quagga-house.ts, Österreich.')
    await say(store, 'two', 'No such animal; quartz only. "quoted" (100%)')

    const found = ['quagga', 'QUA', 'house zoo', 'österr', '"quoted" 100%', 'quagga quartz', '*', "' or 1=1", 'a:* | b'].map((words) =>
      ids(store, 'body', words),
    )

    assert.deepEqual(await Promise.all(found), [['one'], ['one', 'two'], ['one'], ['one'], ['two'], [], [], [], []])
  })

  test(`[V67] a record is found as it is now: renamed, changed and deleted ones too, on ${database}`, async (t) => {
    const store = await open(t)
    const chat = Chat.parse({ id: 'chat_1', title: 'Old zebra', workspace: '/w', created_at: at, updated_at: at })
    const added = await chats.add(store, chat)
    const renamed = await chats.replace(store, added, { ...chat, title: 'New giraffe' })

    const before = [await ids(store, 'name', 'zebra'), await ids(store, 'name', 'giraffe')]
    await chats.remove(store, renamed)
    const after = await ids(store, 'name', 'giraffe')

    assert.deepEqual([before, after], [[[], ['chat_1']], []])
  })
}

async function ids(store: Driver, where: 'name' | 'body', words: string): Promise<string[]> {
  return (await findTexts(store, where, wordsIn(words), 50)).map(({ id }) => id).toSorted()
}

async function say(store: Driver, id: string, text: string): Promise<void> {
  await entries.add(store, Entry.parse({ id, thread_id: id, run_id: null, number: 1, at, from: 'user', text }))
}
