import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { assertNone } from '../../src/sandbox/test-none.ts'
import type { Driver } from '../../src/store/driver.ts'
import { testFolder, type Cleanup } from '../../src/sandbox/test-folder.ts'
import { testRun } from '../../src/store/test-run.ts'
import { log, type LogLine } from '../../src/store/log.ts'
import { testPostgresAddress } from '../../src/store/postgres/test-postgres.ts'
import { openStore } from '../../src/store/open.ts'
import { runs } from '../../src/store/tables.ts'

const addresses = [
  { database: 'SQLite', newAddress: sqliteAddress },
  { database: 'PostgreSQL', newAddress: testPostgresAddress },
]

for (const { database, newAddress } of addresses) {
  test(`[X14] processes that open a new store at the same moment all find it ready on ${database}`, async (t) => {
    const address = await newAddress(t)

    const openers = Array.from({ length: 4 }, (_, at) => startChild(t, 'add', address, `opener${at}`, 1))
    const codes = await letRace(openers)

    assert.deepEqual(codes, [0, 0, 0, 0])
    const store = await openAgain(t, address)
    assert.equal(await runs.count(store), 4)
  })

  test(`[X20] processes that write at once lose nothing and leave no gap on ${database}`, async (t) => {
    const address = await newAddress(t)
    const store = await openAgain(t, address)
    await runs.add(store, testRun({ id: 'counter' }))

    const racing = [
      startChild(t, 'raise', address, 'raiser', 60),
      ...[1, 2].map((at) => startChild(t, 'raise_inside', address, `raiser${at}`, 60)),
      ...[1, 2].map((at) => startChild(t, 'add', address, `adder${at}`, 60)),
    ]
    const codes = await letRace(racing)

    assert.deepEqual(codes, [0, 0, 0, 0, 0])
    assert.equal((await runs.get(store, 'counter')).item.turns, 180)
    assert.equal(await runs.count(store), 121)
    await assertWholeLog(store, 1 + 180 + 2 * 120)
  })

  test(`[X21] what a killed process was told is stored is there, whole, on ${database}`, async (t) => {
    const address = await newAddress(t)
    const told: string[] = []

    for (let round = 0; round < 4; round++) {
      const child = startChild(t, 'forever', address, `round${round}`)
      const enough = told.length + 5 + Math.floor(Math.random() * 60)
      child.stdin.write('go\n')
      for await (const id of linesOf(child)) {
        if (id !== 'ready') told.push(id)
        if (told.length === enough) child.kill('SIGKILL')
      }
    }

    const store = await openAgain(t, address)
    await store.transaction(async (tx) => {
      const stored = (await runs.list(tx)).map(({ item }) => item.id)
      assertNone(told, (id) => !stored.includes(id))
      await assertWholeLog(tx, 2 * stored.length)
    })
  })

  test(`[X25] an export beside a process that goes on writing is of one moment, and comes back the same from another store, on ${database}`, async (t) => {
    const used = await anAccount(t, { TROUPE_STORE: await newAddress(t) })
    const fresh = await anAccount(t, { TROUPE_STORE: await newAddress(t) })
    const [file, again] = [join(used.home, 'all.jsonl'), join(fresh.home, 'again.jsonl')]
    const writing = startChild(t, 'forever', used.env['TROUPE_STORE'] ?? '', 'writer')
    const told = linesOf(writing)[Symbol.asyncIterator]()
    writing.stdin.write('go\n')
    for (let seen = 0; seen < 50; seen++) await told.next()

    const exported = await used.troupe('export', file)
    const goesOn = await told.next()
    writing.kill('SIGKILL')
    const ended = [exported, await fresh.troupe('import', file), await fresh.troupe('export', again)]

    assert.deepEqual([ended.map(({ code }) => code), goesOn.done], [[0, 0, 0], false])
    const [header, ...lines] = (await readFile(file, 'utf8')).split('\n')
    assert.match(header ?? '', /^{"troupe_export":1,/)
    assert.deepEqual((await readFile(again, 'utf8')).split('\n').slice(1), lines)
    const records = lines.filter((line) => line.startsWith('{"collection":"runs",')).length
    assert.ok(records >= 49)
    assert.equal(lines.filter((line) => line.startsWith('{"seq":')).length, 2 * records)
  })

  test(`[X12] a tail sees the lines of other processes, each once and in order, on ${database}`, async (t) => {
    const address = await newAddress(t)
    const tailing = startChild(t, 'tail', address, 'reader', 40)
    const seen: string[] = []

    tailing.stdin.write('go\n')
    for await (const line of linesOf(tailing)) {
      seen.push(line)
      if (line === 'ready') startChild(t, 'add', address, 'writer', 20).stdin.write('go\n')
    }

    assert.deepEqual(seen, ['ready', ...Array.from({ length: 40 }, (_, at) => `${at + 1}`)])
  })
}

/** Numbered from 1 without a gap, and every record's line beside the line of its transaction. */
async function assertWholeLog(store: Driver, length: number): Promise<void> {
  const lines: LogLine[] = await log.read(store, 0, length + 100)
  assert.deepEqual(
    lines.map(({ seq }) => seq),
    Array.from({ length }, (_, at) => at + 1),
  )
  const added = lines.filter(({ topic, subject }) => topic === 'runs' && subject !== 'counter')
  assert.deepEqual(
    added.map(({ seq }) => lines[seq]?.subject),
    added.map(({ subject }) => subject),
  )
}

function startChild(t: Cleanup, ...args: (string | number)[]) {
  const script = join(import.meta.dirname, 'store-child.ts')
  const child = spawn(process.execPath, [script, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => undefined) // it ended before it was told to go; its exit code says why
  t.after(async () => void child.kill('SIGKILL'))
  return child
}

type Child = ReturnType<typeof startChild>

/** Lets them go when all have opened the store, and gives back how each ended. */
async function letRace(children: Child[]): Promise<(number | null)[]> {
  const ended = children.map((child) => once(child, 'exit'))
  await Promise.all(children.map((child) => Promise.race([once(child.stdout, 'data'), once(child, 'exit')])))
  for (const child of children) child.stdin.write('go\n')
  await Promise.all(ended)
  return children.map((child) => child.exitCode)
}

function linesOf(child: Child): AsyncIterable<string> {
  return createInterface({ input: child.stdout })
}

async function openAgain(t: Cleanup, address: string): Promise<Driver> {
  const store = await openStore(address)
  t.after(() => store.close())
  return store
}

async function sqliteAddress(t: Cleanup): Promise<string> {
  return `sqlite:${join(await testFolder(t), 'troupe.db')}`
}
