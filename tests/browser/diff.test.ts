import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { jobs } from '../../src/store/tables.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook, stickingOut } from './page-faults.ts'
import { setJob } from './set-job.ts'

const code = (lines: number, changed: readonly number[]) =>
  Array.from(
    { length: lines },
    (_, at) => `export const value${at + 1} = ${changed.includes(at + 1) ? `"new ${at + 1}"` : `"old ${at + 1}"`} // ${at + 1}`,
  ).join('\n')

test('[J62, V20, V21, V22] a diff shows words within lines in colours, opens what is around them, names files with counts and ticks off what was viewed', async (t) => {
  const troupe = await changedJob(t, {
    'src/values.ts': [code(120, []), code(120, [60])],
    'src/gone.ts': ['export const gone = 1\n', null],
    'docs/new.md': [null, '# New\n\nA page.\n'],
    'logo.bin': [null, Buffer.from([0, 1, 2, 3])],
  })
  const page = await troupe.open('/jobs/paging?tab=changes', { width: 1440 })
  const region = page.getByRole('region', { name: /Changes in src\/values.ts/ })
  await region.first().waitFor()

  await page.locator('.hljs-string').first().waitFor()
  const words = await page.locator('.diff-code-insert .diff-code-edit').first().innerText()
  const before = await page.getByText('"old 40"').count()
  await page.getByRole('button', { name: '20 lines above' }).click()
  await page.getByText('"old 40"').first().waitFor()
  await page.getByRole('button', { name: 'Side by side' }).click()
  const halves = await page
    .getByRole('region', { name: /docs\/new.md/ })
    .locator('tr')
    .first()
    .locator('td')
    .count()
  await page.getByRole('checkbox', { name: 'Viewed: src/gone.ts' }).check()
  const tree = await page.getByRole('navigation', { name: 'Changed files' }).innerText()
  await page.reload()
  await page.getByText('1 of 4 viewed').waitFor()

  assert.equal(words, 'new')
  assert.equal(before, 0)
  assert.equal(halves, 2) // its number and its text; no empty half
  assert.match(tree, /logo\.bin\s*binary[\s\S]*gone\.ts\s*−1\s*values\.ts\s*\+1 −1/)
  assert.deepEqual(await page.getByText('A binary file. Its content is not shown.').count(), 1)
  assert.deepEqual(await faultsInEveryLook(page), [])
})

test('[V23] a diff of 20,000 lines scrolls without holding the page up, on a phone in one column', async (t) => {
  const troupe = await changedJob(t, {
    'src/long.ts': [
      code(10_000, []),
      code(
        10_000,
        Array.from({ length: 10_000 }, (_, at) => at + 1),
      ),
    ],
  })
  const page = await troupe.open('/jobs/paging?tab=changes', { width: 1440 })
  await page
    .getByRole('region', { name: /src\/long.ts, deleted lines 1 to/ })
    .first()
    .waitFor()

  const rows = await page.locator('.diff-line').count()
  await page.locator('.diff-line').first().hover()
  for (let at = 0; at < 30; at++) await page.mouse.wheel(0, 3_000)
  await page
    .getByText('"new 2000"')
    .first()
    .waitFor({ state: 'attached' })
    .catch(() => undefined)
  const last = await page.locator('.diff-line').last().innerText()
  await page.setViewportSize({ width: 390, height: 800 })

  assert.ok(rows < 600, `${rows} rows are drawn`)
  assert.match(last, /\d{3,}/)
  assert.deepEqual(await stickingOut(page), [])
})

/** A job whose Worker changed these files: what each was, and what it is. */
async function changedJob(t: Cleanup, files: Readonly<Record<string, readonly [string | null, string | Buffer | null]>>) {
  const troupe = await openTroupe(t, [])
  await setJob(troupe, Object.fromEntries(Object.entries(files).flatMap(([path, [was]]) => (was === null ? [] : [[path, was]]))), false)
  const driver = await troupe.openStore()
  const was = await jobs.get(driver, 'paging')
  for (const [path, [, is]] of Object.entries(files)) await put(join(was.item.workspace, path), is)
  const head_commit = await commitAll(was.item.workspace, 'Change', agentAuthor('worker'))
  await jobs.replace(driver, was, { ...was.item, head_commit })
  return troupe
}

async function put(path: string, content: string | Buffer | null): Promise<void> {
  if (content === null) return rm(path)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
