import assert from 'node:assert/strict'
import test from 'node:test'
import { each, rowsOf } from '../domain/test-each.ts'
import { testRun } from './test-run.ts'
import { log, type LogLine } from './log.ts'
import { runs } from './tables.ts'
import { databases } from './test-databases.ts'

for (const { database, open } of databases) {
  test(`[X11] log numbers have no gaps, even where writers fail, on ${database}`, async (t) => {
    const store = await open(t)

    const writers = Array.from({ length: 40 }, (_, at) =>
      store.transaction(async (tx) => {
        await runs.add(tx, testRun({ id: `run_${at}` }))
        if (at % 3 === 0) throw new Error('no')
      }),
    )
    await Promise.allSettled(writers)

    const lines = await log.read(store, 0)
    assert.deepEqual(each(lines, 'seq'), upTo(await runs.count(store)))
  })

  test(`[X11] a reader never meets a number before the ones below it on ${database}`, async (t) => {
    const store = await open(t)
    const writing = Promise.all(Array.from({ length: 60 }, (_, at) => runs.add(store, testRun({ id: `run_${at}` }))))

    const seen: number[] = []
    while (seen.length < 60) seen.push(...(await log.read(store, seen.at(-1) ?? 0)).map(({ seq }) => seq))
    await writing

    assert.deepEqual(seen, upTo(60))
  })

  test(`[X11] lines appended at the same moment get a number each on ${database}`, async (t) => {
    const store = await open(t)

    await Promise.all(Array.from({ length: 40 }, () => log.append(store, { topic: 'note', subject: 'x', data: null })))

    assert.deepEqual(each(await log.read(store, 0), 'seq'), upTo(40))
  })

  test(`[X11] one statement that changes many records numbers each of them on ${database}`, async (t) => {
    const store = await open(t)
    for (const id of ['a', 'b', 'c']) await runs.add(store, testRun({ id }))

    await store.query('update runs set version = version + 1')

    const changed = await log.read(store, 3)
    assert.deepEqual(each(changed, 'seq'), [4, 5, 6])
    assert.deepEqual(changed.map(({ subject }) => subject).toSorted(), ['a', 'b', 'c'])
  })

  test(`[X12] a tail gives what was there, then what comes, until it is stopped, on ${database}`, async (t) => {
    const store = await open(t)
    const stop = new AbortController()
    await log.append(store, { topic: 'note', subject: 'one', data: { text: 'NUL \u0000' } })
    await log.append(store, { topic: 'note', subject: 'two', data: null })

    const seen: LogLine[] = []
    for await (const line of log.tail(store, 1, stop.signal)) {
      seen.push(line)
      if (line.subject === 'two') void log.append(store, { topic: 'note', subject: 'three', data: [1] })
      if (line.subject === 'three') stop.abort()
    }

    assert.deepEqual(rowsOf(seen, 'seq', 'subject', 'data'), [
      [2, 'two', null],
      [3, 'three', [1]],
    ])
    assert.deepEqual((await log.read(store, 0, 1))[0]?.data, { text: 'NUL \u0000' })
  })

  test(`[X12] a tail that waits ends at once when it is stopped on ${database}`, async (t) => {
    const store = await open(t)
    const stop = new AbortController()

    setTimeout(() => stop.abort(), 20)
    const ended = await log.tail(store, 0, stop.signal)[Symbol.asyncIterator]().next()

    assert.deepEqual(ended, { done: true, value: undefined })
  })

  test(`[X12] a line carries the time of the store's clock on ${database}`, async (t) => {
    const store = await open(t)

    const before = await store.now()
    await log.append(store, { topic: 'note', subject: 'one', data: null })
    const after = await store.now()

    const [line] = await log.read(store, 0)
    assert.ok(line !== undefined && before.toISOString() <= line.at && line.at <= after.toISOString())
  })
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1)
}
