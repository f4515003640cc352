import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asProblem, type Problem } from '../../src/domain/problem.ts'
import { testRun } from '../../src/store/test-run.ts'
import { log } from '../../src/store/log.ts'
import { openStore } from '../../src/store/open.ts'
import { runs } from '../../src/store/tables.ts'

// Meets a fault of the disk it is given, and tells as JSON what the store made of it: `store-small-disk.ts FOLDER FAULT`.
const [, , folder = '', fault = ''] = process.argv
const address = `sqlite:${join(folder, 'troupe.db')}`

process.stdout.write(JSON.stringify(fault === 'full' ? await fillUp() : await forbidWriting()))

async function fillUp() {
  const ballast = join(folder, 'ballast')
  writeFileSync(ballast, Buffer.alloc(500_000))
  const store = await openStore(address)
  let acknowledged = 0
  const { code, message } = await failureOf(async () => {
    for (;;) {
      await runs.add(store, testRun({ id: `run_${acknowledged}`, reason: 'x'.repeat(20_000) }))
      acknowledged += 1
    }
  })
  const stored = await runs.count(store)
  const logged = await log.last(store)
  rmSync(ballast)
  const [row] = await store.query<{ integrity_check: string }>('pragma integrity_check')
  await store.transaction((tx) => runs.add(tx, testRun({ id: 'after' })))
  return { code, message, acknowledged, stored, logged, check: row?.integrity_check, afterwards: await runs.count(store) }
}

async function forbidWriting() {
  const before = await openStore(address)
  await runs.add(before, testRun())
  await before.close()
  remount('ro')
  const { code, message } = await failureOf(() => openStore(address))
  remount('rw')
  return { code, message, afterwards: await runs.count(await openStore(address)) }
}

/** Of this mount alone: an ordinary user may not change the file system below it, whose options name other users. */
function remount(mode: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,bind,${mode}`, folder])
}

async function failureOf(work: () => Promise<unknown>): Promise<Problem> {
  try {
    await work()
  } catch (error) {
    return asProblem(error)
  }
  throw new Error('the fault did not show')
}
