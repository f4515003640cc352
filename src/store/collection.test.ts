import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import type { Problem } from '../domain/problem.ts'
import { each, rowsOf } from '../domain/test-each.ts'
import { testRun } from './test-run.ts'
import { log } from './log.ts'
import { entries, runs } from './tables.ts'
import { databases } from './test-databases.ts'

for (const { database, open } of databases) {
  test(`[X1] a record is read back equal, whatever text it holds, on ${database}`, async (t) => {
    const store = await open(t)
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u0000', '\ud800', '\udfff!', '\\u0000', '\\/0000', '\\\\/d800', '🎭'),
    )

    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.array(texts), async (id, parts) => {
        const odd = testRun({ id, reason: parts.join('') })
        await runs.add(store, odd)
        assert.deepEqual(await runs.get(store, id), { item: odd, version: 1 })
      }),
      { numRuns: 60 },
    )
  })

  test(`[X1] a record is read as it stands now, though it was read before, and nobody can change it for the next reader on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, testRun({ model: 'first' }))
    const was = await runs.get(store, 'run_1')

    was.item.permissions.push('delete_files')
    const unchanged = await runs.get(store, 'run_1')
    await runs.remove(store, was)
    await runs.add(store, testRun({ model: 'second' })) // under the same id and the same version

    assert.deepEqual(unchanged, { item: testRun({ model: 'first' }), version: 1 })
    assert.deepEqual(await runs.get(store, 'run_1'), { item: testRun({ model: 'second' }), version: 1 })
  })

  test(`[X2] of two changes to the same version the second is refused with conflict on ${database}`, async (t) => {
    const store = await open(t)
    const was = await runs.add(store, testRun())

    const replaced = await runs.replace(store, was, { ...was.item, turns: 1 })

    await assert.rejects(runs.replace(store, was, { ...was.item, turns: 2 }), { code: 'conflict' })
    await assert.rejects(runs.remove(store, was), { code: 'conflict' })
    assert.deepEqual(await runs.get(store, 'run_1'), replaced)
  })

  test(`[X2] whatever the order of reads and writes, a write lands exactly when its version stands on ${database}`, async (t) => {
    const store = await open(t)
    let round = 0

    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('read', 'write'), fc.nat(2)), { maxLength: 20 }), async (steps) => {
        const first = await runs.add(store, testRun({ id: `run_${++round}` }))
        const held = [first, first, first]
        let current = first
        for (const [step, who] of steps) {
          const was = held[who] ?? first
          if (step === 'read') held[who] = await runs.get(store, first.item.id)
          else if (was.version !== current.version) await assert.rejects(runs.replace(store, was, was.item), { code: 'conflict' })
          else current = held[who] = await runs.replace(store, was, { ...was.item, turns: was.item.turns + 1 })
        }
        const landed = await runs.get(store, first.item.id)
        assert.deepEqual([landed.version, landed.item.turns], [current.version, current.version - 1])
      }),
      { numRuns: 40 },
    )
  })

  test(`[X2] an id that is taken is refused with conflict, and one that is missing with not_found, on ${database}`, async (t) => {
    const store = await open(t)
    await runs.add(store, testRun())

    await assert.rejects(runs.add(store, testRun({ turns: 7 })), { code: 'conflict', message: 'run_1 in runs is there already' })
    await assert.rejects(runs.get(store, 'run_2'), { code: 'not_found', message: 'there is no run run_2' })
    assert.equal(await runs.find(store, 'run_2'), null)
  })

  test(`[X3] every change of a record appends one line to the log on ${database}`, async (t) => {
    const store = await open(t)

    const added = await runs.add(store, testRun())
    const replaced = await runs.replace(store, added, { ...added.item, status: 'waiting' })
    await runs.remove(store, replaced)

    const columns = Object.fromEntries(runs.columns.map((column) => [column, replaced.item[column]]))
    assert.deepEqual(rowsOf(await log.read(store, 0), 'seq', 'topic', 'subject', 'data'), [
      [1, 'runs', 'run_1', { op: 'add', version: 1, ...columns, status: 'running' }],
      [2, 'runs', 'run_1', { op: 'replace', version: 2, ...columns }],
      [3, 'runs', 'run_1', { op: 'remove', version: 2, ...columns }],
    ])
  })

  test(`[X4] a list is filtered, sorted and paged alike on ${database}`, async (t) => {
    const store = await open(t)
    const some = [
      { id: 'a', status: 'running', lease_expires: '2026-01-02T00:00:00.000Z' },
      { id: 'B', status: 'waiting', lease_expires: null },
      { id: 'é', status: 'running', lease_expires: '2026-01-01T00:00:00.000Z' },
      { id: 'c', status: 'stopped', lease_expires: null },
    ] as const
    for (const run of some) await runs.add(store, testRun(run))

    const ids = async (query: Parameters<typeof runs.items>[1]) => each(await runs.items(store, query), 'id').join(' ')

    assert.equal(await ids({}), 'B a c é')
    assert.equal(await ids({ order: ['lease_expires'] }), 'B c é a')
    assert.equal(await ids({ order: ['-lease_expires', '-id'] }), 'a é c B')
    assert.equal(await ids({ where: { status: 'running' } }), 'a é')
    assert.equal(await ids({ where: { status: ['waiting', 'stopped'], lease_expires: null } }), 'B c')
    assert.equal(await ids({ where: { lease_expires: ['2026-01-01T00:00:00.000Z', null] } }), 'B c é')
    assert.equal(await ids({ where: { lease_expires: { below: '2026-01-02T00:00:00.000Z' } } }), 'é')
    assert.equal(await ids({ where: { id: { above: 'a', below: 'd' } } }), 'c')
    assert.equal(await ids({ where: { id: [] } }), '')
    assert.equal(await ids({ limit: 2, offset: 1 }), 'a c')
    assert.equal(await ids({ offset: 3 }), 'é')
    assert.equal(await runs.count(store, { status: 'running' }), 2)
  })

  test(`[X5] a row that does not fit is named by get and left out of a list with a warning on ${database}`, async (t) => {
    const warnings: Problem[] = []
    const store = await open(t, { warn: (problem) => warnings.push(problem) })
    await runs.add(store, testRun({ id: 'good' }))
    await store.query('insert into runs (id, data) values ($1, $2)', ['bad', JSON.stringify({ ...testRun({ id: 'bad' }), turns: -1 })])

    const listed = await runs.items(store)

    assert.deepEqual(each(listed, 'id'), ['good'])
    assert.match(warnings.map(({ message }) => message).join(), /^bad in runs is stored in a form this program cannot read: turns: /)
    await assert.rejects(runs.get(store, 'bad'), { code: 'internal', message: warnings[0]?.message ?? '' })
  })

  test(`[X6] a record that does not fit its schema is refused to its writer on ${database}`, async (t) => {
    const store = await open(t)
    const was = await runs.add(store, testRun())

    const wrong = { ...was.item, turns: 1.5 }

    await assert.rejects(runs.replace(store, was, wrong), { code: 'bad_input', message: /^run_1 cannot be stored in runs: turns: / })
    await assert.rejects(runs.add(store, { ...wrong, id: 'run_2' }), { code: 'bad_input' })
    assert.equal(await log.last(store), 1)
  })

  test(`[X7] a thread has one entry of each number on ${database}`, async (t) => {
    const store = await open(t)
    const at = '2026-01-01T00:00:00.000Z'
    await entries.add(store, { id: 'e1', thread_id: 't', number: 0, run_id: null, at, from: 'user', text: 'first' })

    const second = entries.add(store, { id: 'e2', thread_id: 't', number: 0, run_id: null, at, from: 'user', text: 'also first' })

    await assert.rejects(second, { code: 'conflict' })
    assert.equal(await entries.count(store, { thread_id: 't', number: 0 }), 1)
  })
}
