import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachmentContents, keepAttachments } from './attachments.ts'
import { exportStore, importStore } from './backup.ts'
import type { Driver } from './driver.ts'
import { testRun } from './test-run.ts'
import { log } from './log.ts'
import { openStore } from './open.ts'
import { runs } from './tables.ts'
import { databases } from './test-databases.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

for (const { database, open, address } of databases) {
  test(`[X25] an export read into an empty store gives the same export again (${database})`, async (t) => {
    const [from, to] = [await open(t), await open(t)]
    const first = await runs.add(from, testRun({ id: 'run_1' }))
    await runs.replace(from, first, { ...first.item, turns: 3 })
    await runs.add(from, testRun({ id: 'run_2', reason: 'a line\nwith "quotes" and ünïcode' }))

    const [file] = await keepAttachments(from, [{ name: 'dot.png', data: png }])

    const written = await exported(from)
    const count = await importStore(to, each(written))

    assert.deepEqual((await exported(to)).slice(1), written.slice(1))
    assert.equal(count, 6)
    assert.equal((await attachmentContents(to, [file?.hash ?? ''])).get(file?.hash ?? ''), png)
    assert.equal((await runs.get(to, 'run_1')).version, 2)
    await log.append(to, { topic: 'test', subject: 'next', data: {} })
    assert.equal(await log.last(to), 4)
  })

  test(`[X25] while an export is made others write, and it holds what was there when it began (${database})`, async (t) => {
    const store = await address(t)
    const [driver, other] = [await openStore(store), await openStore(store)]
    t.after(() => Promise.all([driver.close(), other.close()]))
    await runs.add(driver, testRun({ id: 'run_1' }))
    const lines: string[] = []

    await exportStore(driver, '1.0.0', async (line) => {
      lines.push(line)
      await runs.add(other, testRun({ id: `run_${lines.length + 1}` }))
    })

    assert.equal(await runs.count(driver), 1 + lines.length)
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id).filter((id) => id !== undefined),
      ['run_1'],
    )
  })

  test(`[X26] a store that holds something, a damaged line, a newer collection and what was cut off are refused, and nothing is imported (${database})`, async (t) => {
    const [used, empty] = [await open(t), await open(t)]
    await runs.add(used, testRun({ id: 'run_1' }))
    const written = await exported(used)
    const newer = JSON.stringify({ collection: 'dreams', id: 'd', version: 1, data: '{}' })

    const forged = JSON.stringify({ attachment: 'a'.repeat(64), data: png })

    await assert.rejects(importStore(empty, each(written.toSpliced(-1, 0, forged))), { code: 'bad_input', message: /damaged/ })
    await assert.rejects(importStore(used, each(written)), { code: 'conflict', message: /already holds runs/ })
    await assert.rejects(importStore(empty, each(written.toSpliced(-1, 0, '{"collection":'))), { code: 'bad_input', message: /line 4/ })
    await assert.rejects(importStore(empty, each(written.toSpliced(-1, 0, newer))), { code: 'store_newer' })
    await assert.rejects(importStore(empty, each(written.slice(0, -1))), { code: 'bad_input', message: /incomplete/ })
    await assert.rejects(importStore(empty, each(written.toSpliced(1, 1))), { code: 'bad_input', message: /incomplete/ })
    await assert.rejects(importStore(empty, each([...written, ...written.slice(1)])), { code: 'bad_input', message: /after the end/ })
    await assert.rejects(importStore(empty, each(['hello'])), { code: 'bad_input', message: /not a Troupe export/ })
    await assert.rejects(importStore(empty, each([])), { code: 'bad_input' })

    assert.equal(await runs.count(empty), 0)
  })
}

async function exported(driver: Driver): Promise<string[]> {
  const lines: string[] = []
  await exportStore(driver, '1.0.0', async (line) => void lines.push(line.trimEnd()))
  return lines
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
