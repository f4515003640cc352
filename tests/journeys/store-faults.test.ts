import assert from 'node:assert/strict'
import { copyFile, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { Problem } from '../../src/domain/problem.ts'
import { assertNone } from '../../src/sandbox/test-none.ts'
import type { Driver } from '../../src/store/driver.ts'
import { testFolder, type Cleanup } from '../../src/sandbox/test-folder.ts'
import { testRun } from '../../src/store/test-run.ts'
import { log } from '../../src/store/log.ts'
import { openStore } from '../../src/store/open.ts'
import { runs } from '../../src/store/tables.ts'
import { startTestServer } from '../../src/store/postgres/test-postgres-server.ts'
import { inStore } from '../../src/store/test-store.ts'
import { noSmallDisk, onSmallDisk } from './small-disk.ts'

test(
  '[X22] a full disk is named, half-writes nothing, and the store goes on when there is space again',
  { skip: noSmallDisk },
  async (t) => {
    const outcome = (await onSmallDisk(t, 2, onDisk, 'full')) as Outcome // written by our own script

    assert.equal(outcome.code, 'store_failed')
    assert.match(outcome.message, /^the store .*troupe\.db cannot grow: its disk is full; nothing of this change was written$/)
    assert.ok(outcome.acknowledged > 0)
    assert.deepEqual(
      { stored: outcome.stored, logged: outcome.logged, check: outcome.check },
      { stored: outcome.acknowledged, logged: outcome.acknowledged, check: 'ok' },
    )
    assert.equal(outcome.afterwards, outcome.acknowledged + 1)
  },
)

test('[X22] a read-only disk is named, and the store opens again when it may be written', { skip: noSmallDisk }, async (t) => {
  const outcome = (await onSmallDisk(t, 2, onDisk, 'read-only')) as Outcome // written by our own script

  assert.equal(outcome.code, 'store_failed')
  assert.match(outcome.message, /^the store .*troupe\.db cannot be opened: .*read-only/)
  assert.equal(outcome.afterwards, 1)
})

test('[X23] a damaged SQLite file is named and works again once a copy is restored', async (t) => {
  const { folder, file } = await sqliteFile(t)
  const healthy = await openStore(`sqlite:${file}`)
  for (let at = 0; at < 200; at++) await runs.add(healthy, testRun({ id: `run_${at}`, reason: 'x'.repeat(500) }))
  await healthy.close()
  await copyFile(file, join(folder, 'copy.db'))
  await damage(file)

  await assert.rejects(readEverything(file), {
    code: 'store_failed',
    message: `the store ${file} is damaged; move it away and restore a copy`,
  })
  await copyFile(join(folder, 'copy.db'), file)

  assert.equal(await readEverything(file), 200)
})

test('[X23] a file that is no SQLite database is refused and left as it was', async (t) => {
  const { file } = await sqliteFile(t)
  const letter = 'Dear diary, this is not a database at all. '.repeat(100)
  await writeFile(file, letter)

  await assert.rejects(openStore(`sqlite:${file}`), { code: 'store_failed', message: /is not a SQLite database/ })

  assert.equal(await readFile(file, 'utf8'), letter)
})

test('[X23] a folder in place of the file is refused by name', async (t) => {
  const { folder } = await sqliteFile(t)

  await assert.rejects(openStore(`sqlite:${folder}`), { code: 'store_failed', message: /cannot be opened: EISDIR/ })
})

test('[X24] a PostgreSQL that goes away in mid-use is named, and used again when it is back, with nothing lost', async (t) => {
  const server = await startTestServer()
  t.after(() => server.stop())
  const warnings: Problem[] = []
  const store = await openStore(server.address('postgres'), { warn: (problem) => warnings.push(problem) })
  t.after(() => store.close())
  const stop = new AbortController()
  const tailed = collectSubjects(store, stop.signal)
  const acknowledged: string[] = []

  await addUntilItFails(store, acknowledged, () => server.crash())
  await assert.rejects(runs.count(store), { code: 'store_failed', message: /^the store postgres:.* cannot be reached/ })
  await assert.rejects(openStore(server.address('postgres')), { code: 'store_failed' })
  await server.start()
  await runs.add(store, testRun({ id: 'after' }))

  const stored = (await runs.list(store)).map(({ item }) => item.id)
  assertNone(acknowledged, (id) => !stored.includes(id))
  while (!tailed.includes('after')) await log.last(store)
  stop.abort()
  assert.deepEqual(tailed.toSorted(), stored.toSorted())
  assert.equal(await log.last(store), stored.length)
})

/** Writes as fast as it can; after a while the server goes away under it. */
async function addUntilItFails(store: Driver, acknowledged: string[], breakIt: () => Promise<void>): Promise<void> {
  let broken: Promise<void> | undefined
  const adding = (async () => {
    for (let at = 0; ; at++) {
      await runs.add(store, testRun({ id: `run_${at}` }))
      acknowledged.push(`run_${at}`)
      if (at === 30) broken = breakIt()
    }
  })()
  await assert.rejects(adding, { code: 'store_failed' })
  await broken
}

function collectSubjects(store: Driver, signal: AbortSignal): string[] {
  const subjects: string[] = []
  void (async () => {
    for await (const { subject } of log.tail(store, 0, signal)) subjects.push(subject)
  })()
  return subjects
}

interface Outcome {
  code: string
  message: string
  acknowledged: number
  stored: number
  logged: number
  check: string
  afterwards: number
}

const onDisk = join(import.meta.dirname, 'store-small-disk.ts')

async function sqliteFile(t: Cleanup): Promise<{ folder: string; file: string }> {
  const folder = await testFolder(t)
  return { folder, file: join(folder, 'troupe.db') }
}

function readEverything(file: string): Promise<number> {
  return inStore(`sqlite:${file}`, async (store) => (await runs.list(store)).length)
}

/** Everything but the first page, which holds the list of tables. */
async function damage(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  const { size } = await handle.stat()
  const start = 64 * 1024
  await handle.write(Buffer.alloc(size - start, 0xa5), 0, size - start, start)
  await handle.close()
}
