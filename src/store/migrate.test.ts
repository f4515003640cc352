import assert from 'node:assert/strict'
import test from 'node:test'
import { testRun } from './test-run.ts'
import { log } from './log.ts'
import { migrate } from './migrate.ts'
import { type Migration, migrations } from './migrations.ts'
import { runs } from './tables.ts'
import { databases } from './test-databases.ts'

const searchByModel: Migration = {
  name: 'runs-by-model',
  up: (build) => build.moreColumns('runs', runs.columns, { model: 'text', turns: 'integer' }, [['model', 'turns']]),
}

for (const { database, open } of databases) {
  test(`[X14] a later migration makes an old field searchable, for old records too, on ${database}`, async (t) => {
    const store = await open(t)
    const old = await runs.add(store, testRun({ id: 'old', model: 'a', turns: 3 }))

    await migrate(store, [...migrations, searchByModel])
    await runs.replace(store, old, { ...old.item, turns: 4 })

    assert.deepEqual(await store.query('select id, turns from runs where model = $1', ['a']), [{ id: 'old', turns: 4 }])
    const [line] = await log.read(store, 1)
    assert.partialDeepStrictEqual(line?.data, { op: 'replace', version: 2, thread_id: 'thread_1', model: 'a', turns: 4 })
    assert.equal(await log.last(store), 2)
  })

  test(`[X14] a migration that fails leaves the store as it was on ${database}`, async (t) => {
    const store = await open(t)
    const broken: Migration = { name: 'broken', up: () => ['create table half (id text)', 'create nonsense'] }

    await assert.rejects(migrate(store, [...migrations, broken]), { code: 'internal', message: /nonsense/ })

    await assert.rejects(store.query('select * from half'), { code: 'internal' })
    await migrate(store, migrations)
  })
}
