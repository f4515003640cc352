import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../domain/problem.ts'
import { each } from '../domain/test-each.ts'
import type { Driver } from './driver.ts'
import { testRun } from './test-run.ts'
import { log } from './log.ts'
import { runs } from './tables.ts'
import { databases } from './test-databases.ts'

for (const { database, open } of databases) {
  test(`[X8] a transaction that fails leaves no record and no log line on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, testRun({ id: 'before' }))

    const failing = store.transaction(async (tx) => {
      await runs.add(tx, testRun({ id: 'inside' }))
      await log.append(tx, { topic: 'note', subject: 'x', data: null })
      throw new Error('changed my mind')
    })

    await assert.rejects(failing, { message: 'changed my mind' })
    assert.equal(await runs.find(store, 'inside'), null)
    await log.append(store, { topic: 'note', subject: 'y', data: null })
    assert.equal(await log.last(store), 2)
  })

  test(`[X8] a transaction in which a statement failed is not committed, even if the failure was caught, on ${database}`, async (t) => {
    const store = await open(t)

    const failing = store.transaction(async (tx) => {
      await runs.add(tx, testRun())
      await tx.query('select * from no_such_table').catch(() => undefined)
    })

    await assert.rejects(failing, { code: 'internal', message: /no_such_table/ })
    assert.equal(await runs.count(store), 0)
  })

  test(`[X8] a conflict inside a transaction may be answered, and the rest is committed, on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, testRun({ id: 'taken' }))

    await store.transaction(async (tx) => {
      await runs.add(tx, testRun({ id: 'taken' })).catch(() => runs.add(tx, testRun({ id: 'other' })))
    })

    assert.equal(await runs.count(store), 2)
  })

  test(`[X8] a transaction inside a transaction joins it on ${database}`, async (t) => {
    const store = await open(t)

    const failing = store.transaction(async (tx) => {
      await tx.transaction((inner) => runs.add(inner, testRun()))
      throw new Problem('stopped', 'outer ended')
    })

    await assert.rejects(failing, { code: 'stopped' })
    assert.equal(await runs.count(store), 0)
  })

  test(`[X25] who reads a snapshot may not write, and may again afterwards, on ${database}`, async (t) => {
    const store = await open(t)

    await assert.rejects(
      store.snapshot((tx) => runs.add(tx, testRun())),
      /read-?only/,
    )
    await runs.add(store, testRun())

    assert.equal(await store.snapshot((tx) => runs.count(tx)), 1)
  })

  test(`[X9] what a transaction has read still holds when it writes on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, testRun({ turns: 0 }))

    const raise = () =>
      store.transaction(async (tx) => {
        const was = await runs.get(tx, 'run_1')
        await sleep(1)
        await runs.replace(tx, was, { ...was.item, turns: was.item.turns + 1 })
      })
    await Promise.all(Array.from({ length: 20 }, raise))

    assert.equal((await runs.get(store, 'run_1')).item.turns, 20)
  })

  test(`[X9] a request that comes while a transaction waits neither writes into it nor sees it on ${database}`, async (t) => {
    const store = await open(t)
    const reached = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()

    const failing = store.transaction(async (tx) => {
      await runs.add(tx, testRun({ id: 'inside' }))
      reached.resolve()
      await letGo.promise
      throw new Problem('stopped', 'not after all')
    })
    await reached.promise
    const seen = runs.find(store, 'inside')
    const added = runs.add(store, testRun({ id: 'outside' }))
    letGo.resolve()

    await assert.rejects(failing, { code: 'stopped' })
    assert.equal(await seen, null)
    assert.equal((await added).version, 1)
    assert.equal(await runs.count(store), 1)
  })

  test(`[X10] using the store itself inside its transaction is refused instead of waiting for ever on ${database}`, async (t) => {
    const store = await open(t)

    const wrong = store.transaction(() => runs.add(store, testRun()))

    await assert.rejects(wrong, { code: 'internal', message: 'inside a transaction use the driver it was given, not the store' })
    await runs.add(store, testRun())
  })

  test(`[X10] a transaction that has ended takes no more statements on ${database}`, async (t) => {
    const store = await open(t)

    const tx = await store.transaction(async (inside) => inside)

    await assert.rejects(runs.add(tx, testRun()), { code: 'internal' })
    assert.equal(await runs.count(store), 0)
  })

  test(`[X28] statements that are asked for at once get each its own rows on ${database}`, async (t) => {
    const store = await open(t)
    const numbers = [1, 2, 2, 3]

    const inside = await store.transaction((tx) => Promise.all(numbers.map((at) => tx.query(`select ${at} as number, null as other`))))
    const outside = await Promise.all(numbers.map((at) => store.query('select $1 as text', [String(at)])))

    assert.deepEqual(
      inside,
      numbers.map((number) => [{ number, other: null }]),
    )
    assert.deepEqual(
      outside,
      numbers.map((number) => [{ text: String(number) }]),
    )
  })

  test(`[X28] a statement that failed can be asked for again when its cause is gone, on ${database}`, async (t) => {
    const store = await open(t)

    await assert.rejects(askLater(store), { code: 'internal', message: /later/ })
    await assert.rejects(store.transaction(askLater), { code: 'internal', message: /later/ })
    await store.query('create table "later" (id text)')

    assert.deepEqual([await askLater(store), await store.transaction(askLater)], [[], []])
  })

  test(`[X27] of transactions that rest on one record at once each is done on what the one before it left, on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, testRun({ turns: 0 }))
    const count = () =>
      store.transaction(async (tx) => {
        const was = await runs.get(tx, 'run_1')
        await runs.replace(tx, was, { ...was.item, turns: was.item.turns + 1 })
        await log.append(tx, { topic: 'note', subject: 'x', data: was.item.turns })
      })

    await Promise.all(Array.from({ length: 20 }, count))

    const { item, version } = await runs.get(store, 'run_1')
    const notes = (await log.read(store, 0)).filter(({ topic }) => topic === 'note')
    assert.deepEqual([item.turns, version], [20, 21])
    assert.deepEqual(each(notes, 'data'), [...Array(20).keys()])
  })
}

function askLater(driver: Driver): Promise<unknown[]> {
  return driver.query('select id from "later"')
}
