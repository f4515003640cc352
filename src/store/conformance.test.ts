import assert from 'node:assert/strict'
import test from 'node:test'
import { exampleRun } from './example-run.ts'
import { log } from './log.ts'
import { openTestStore } from './open-test-store.ts'
import { runs } from './tables.ts'

test('[X1] a record is read back equal, whatever text it holds', async (t) => {
  const store = await openTestStore(t)
  const odd = exampleRun({ reason: 'NUL \u0000, half a pair \ud800, spelled out \\u0000 and \\/0000, / and 🎭' })

  await runs.add(store, odd)

  assert.deepEqual(await runs.get(store, odd.id), { item: odd, version: 1 })
})

test('[X2] of two changes to the same version the second is refused with conflict', async (t) => {
  const store = await openTestStore(t)
  const was = await runs.add(store, exampleRun())

  await runs.replace(store, was, { ...was.item, turns: 1 })
  const second = runs.replace(store, was, { ...was.item, turns: 2 })

  await assert.rejects(second, { code: 'conflict' })
  assert.equal((await runs.get(store, 'run_1')).item.turns, 1)
})

test('[X3] every change of a record appends one line to the log', async (t) => {
  const store = await openTestStore(t)

  const added = await runs.add(store, exampleRun())
  const replaced = await runs.replace(store, added, { ...added.item, status: 'waiting' })
  await runs.remove(store, replaced)

  const lines = await log.read(store, 0)
  assert.deepEqual(
    lines.map(({ seq, topic, subject, data }) => ({ seq, topic, subject, data })),
    [
      {
        seq: 1,
        topic: 'runs',
        subject: 'run_1',
        data: { op: 'add', version: 1, thread_id: 'thread_1', status: 'running', lease_expires: null },
      },
      {
        seq: 2,
        topic: 'runs',
        subject: 'run_1',
        data: { op: 'replace', version: 2, thread_id: 'thread_1', status: 'waiting', lease_expires: null },
      },
      {
        seq: 3,
        topic: 'runs',
        subject: 'run_1',
        data: { op: 'remove', version: 2, thread_id: 'thread_1', status: 'waiting', lease_expires: null },
      },
    ],
  )
})
