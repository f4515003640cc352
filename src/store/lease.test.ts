import assert from 'node:assert/strict'
import test from 'node:test'
import { exampleRun } from './example-run.ts'
import { releaseLease, renewLease, takeLease } from './lease.ts'
import { runs } from './tables.ts'
import { databases } from './test-databases.ts'

const MINUTE_MS = 60_000
const LONG_AGO = '2026-01-01T00:00:00.000Z'

for (const { database, open } of databases) {
  test(`[X13] of several who take a lease at once one gets it on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, exampleRun())

    const takers = ['a', 'b', 'c', 'd'].map((holder) => takeLease(store, runs, 'run_1', holder, MINUTE_MS))
    const taken = await Promise.allSettled(takers)

    assert.deepEqual(taken.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
    assert.deepEqual(
      taken.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason.code] : [])),
      ['busy', 'busy', 'busy'],
    )
  })

  test(`[X13] a lease that ran out by the store's clock may be taken by another, and its old holder is refused, on ${database}`, async (t) => {
    const store = await open(t)
    const ghost = await runs.add(store, exampleRun({ holder: 'ghost', lease_expires: LONG_AGO }))

    const taken = await takeLease(store, runs, 'run_1', 'heir', MINUTE_MS)

    assert.equal(taken.item.holder, 'heir')
    await assert.rejects(renewLease(store, runs, 'run_1', 'ghost', MINUTE_MS), { code: 'conflict', message: /heir does$/ })
    await assert.rejects(runs.replace(store, ghost, { ...ghost.item, turns: 9 }), { code: 'conflict' })
  })

  test(`[X13] a lease is renewed from now, by the store's clock, even when it had just run out, on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, exampleRun({ holder: 'me', lease_expires: LONG_AGO }))
    const now = await store.now()

    const renewed = await renewLease(store, runs, 'run_1', 'me', MINUTE_MS)

    assert.ok(Date.parse(renewed.item.lease_expires ?? '') >= now.getTime() + MINUTE_MS)
  })

  test(`[X13] a lease that was given back is free at once on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, exampleRun())
    await takeLease(store, runs, 'run_1', 'first', MINUTE_MS)

    await releaseLease(store, runs, 'run_1', 'first')
    const taken = await takeLease(store, runs, 'run_1', 'second', MINUTE_MS)

    assert.equal(taken.item.holder, 'second')
    await assert.rejects(releaseLease(store, runs, 'run_1', 'first'), { code: 'conflict' })
  })
}
