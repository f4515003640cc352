import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { each } from '../domain/test-each.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import type { Driver } from './driver.ts'
import { testRun } from './test-run.ts'
import { migrations } from './migrations.ts'
import { testPostgresAddress } from './postgres/test-postgres.ts'
import { openStore } from './open.ts'
import { WRITER_LOCK } from './postgres/names.ts'
import * as tables from './tables.ts'
import { databases } from './test-databases.ts'

for (const { database, address: newAddress, open } of databases) {
  test(`[X14] each migration is applied once, however many open the store at once, on ${database}`, async (t) => {
    const address = await newAddress(t)

    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(address)))

    const applied = await stores[0]?.query<{ name: string }>('select name from migrations order by number')
    assert.deepEqual(each(applied ?? [], 'name'), each(migrations, 'name'))
    await Promise.all(stores.map((store) => store.close()))
  })

  test(`[X14] every declared column exists on ${database}`, async (t) => {
    const store = await open(t)

    for (const collection of Object.values(tables)) {
      const columns = collection.columns.map((column) => `"${column}"`).join(', ')
      await store.query(`select id, version, data, ${columns} from "${collection.name}"`)
    }
  })

  test(`[X15] a store newer than the program is refused on ${database}`, async (t) => {
    const address = await newAddress(t)
    const newer = await openStore(address)
    await newer.query("insert into migrations (number, name, at) values (9999, 'from-the-future', 'then')")
    await newer.close()

    const opening = openStore(address)

    await assert.rejects(opening, { code: 'store_newer', message: /from-the-future/ })
  })
}

test('[X15] a SQLite store newer than the program is not touched by one byte', async (t) => {
  const folder = await testFolder(t)
  const file = join(folder, 'troupe.db')
  const newer = await openStore(`sqlite:${file}`)
  await newer.query("insert into migrations (number, name, at) values (9999, 'from-the-future', 'then')")
  await newer.query('pragma journal_mode = delete')
  await newer.close()
  const before = await readFile(file)

  await assert.rejects(openStore(`sqlite:${file}`), { code: 'store_newer' })

  assert.deepEqual(await readFile(file), before)
  assert.deepEqual(await readdir(folder), ['troupe.db'])
})

test('[X16] an address of neither kind is refused with what would be right', async () => {
  for (const address of ['', 'sqlite:', 'mysql://localhost/x', '/var/lib/troupe.db']) {
    await assert.rejects(openStore(address), { code: 'bad_input', message: /use sqlite:PATH or postgres:\/\// })
  }
})

test('[X17] the store file and what lies beside it are private to their owner', async (t) => {
  const home = join(await testFolder(t), 'deep/er/home')
  const store = await openStore(`sqlite:${join(home, 'troupe.db')}`)
  await tables.runs.add(store, testRun())

  const names = await readdir(home)
  const modes = await Promise.all(names.map(async (name) => (await stat(join(home, name))).mode & 0o777))
  await store.close()

  assert.deepEqual(names.toSorted(), ['troupe.db', 'troupe.db-shm', 'troupe.db-wal'])
  assert.deepEqual(modes, [0o600, 0o600, 0o600])
  assert.equal((await stat(home)).mode & 0o777, 0o700)
})

test('[X18] a SQLite store that another process is just making is waited for', async (t) => {
  const file = join(await testFolder(t), 'troupe.db')
  const other = new DatabaseSync(file)
  other.exec('begin exclusive; create table half_made (id)')

  const opening = openStore(`sqlite:${file}`)
  await sleep(30)
  other.exec('rollback')
  other.close()

  const store = await opening
  assert.equal((await tables.runs.add(store, testRun())).version, 1)
  await store.close()
})

test('[X18] while another process writes to SQLite, this one goes on with other things and then writes', async (t) => {
  const file = join(await testFolder(t), 'troupe.db')
  const store = await openStore(`sqlite:${file}`)
  const other = new DatabaseSync(file)
  other.exec('begin immediate')

  const writing = tables.runs.add(store, testRun())
  let ticks = 0
  while (ticks < 20) ticks += await sleep(1, 1)
  other.exec('rollback')
  await writing

  assert.equal(await tables.runs.count(store), 1)
  other.close()
  await store.close()
})

test('[X18] a SQLite store that stays locked is given up with busy', async (t) => {
  const file = join(await testFolder(t), 'troupe.db')
  const store = await openStore(`sqlite:${file}`, { patienceMs: 30 })
  const other = new DatabaseSync(file)
  other.exec('begin immediate')

  await assert.rejects(tables.runs.add(store, testRun()), { code: 'busy', message: /stayed locked by another process$/ })
  await givesUp(store, async () => other.close())
})

test('[X18] a PostgreSQL store that stays locked is given up with busy', async () => {
  const address = await testPostgresAddress()
  const store = await openStore(address, { patienceMs: 30 })
  const other = new Client(address)
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [WRITER_LOCK])

  await givesUp(store, () => other.end())
})

test('[X18] a transaction that PostgreSQL takes back is tried again', async () => {
  const store = await openStore(await testPostgresAddress())
  let tries = 0

  await store.transaction(async (tx) => {
    await tables.runs.add(tx, testRun())
    if (++tries < 3) await tx.query("do $$ begin raise exception 'met another' using errcode = '40001'; end $$")
  })

  assert.deepEqual([tries, await tables.runs.count(store)], [3, 1])
  await store.close()
})

test('[X19] a password in the address appears in no message', async () => {
  const opening = openStore('postgres://someone:s3cret@127.0.0.1:1/troupe')

  await assert.rejects(opening, (problem: Error) => {
    assert.match(problem.message, /^the store postgres:\/\/someone:\[masked\]@127.0.0.1:1\/troupe cannot be reached \(connect ECONNREFUSED/)
    assert.doesNotMatch(JSON.stringify(problem), /s3cret/)
    return true
  })
})

test('[X19] a mistyped address is refused without the password in it', async () => {
  for (const address of ['postgres:/u:s3cret@h/x', 'postgre://u:s3cret@h/x', 'u:s3cret@h/x', 'postgres://u:s3cret@h:port/x']) {
    await assert.rejects(openStore(address), (problem: Error) => {
      assert.doesNotMatch(`${problem.message} ${problem.stack} ${JSON.stringify(problem)}`, /s3cret/, address)
      return true
    })
  }
})

/** A write is given up, alone and in a transaction, while another process holds the store, and made once that lets go. */
async function givesUp(store: Driver, letGo: () => Promise<void>): Promise<void> {
  await assert.rejects(write(store), { code: 'busy' })
  await assert.rejects(store.transaction(write), { code: 'busy' })
  await letGo()

  assert.equal((await write(store)).version, 1)
  await store.close()
}

function write(to: Driver) {
  return tables.runs.add(to, testRun())
}
