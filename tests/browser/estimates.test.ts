import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Usage } from '../../src/domain/entry.ts'
import { jobInteractions, jobs, runs } from '../../src/store/tables.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { openTroupe } from './open-troupe.ts'
import { setTheScene } from './set-scene.ts'
import { setJob, jobReplies } from './set-job.ts'
import type { Troupe } from './start-troupe.ts'

const estimated: Partial<Usage> = { cost_microusd: 182_000, estimated: true }

test('[A102] a cost that is partly estimated has ≈ before it on a card, on the page of its task and in the sprint', async (t) => {
  const troupe = await openTroupe(t, [])
  await setTheScene(troupe)
  const driver = await troupe.openStore()
  for (const was of await runs.list(driver)) {
    if (was.item.thread_id.includes('/cursor/'))
      await runs.replace(driver, was, { ...was.item, usage: { ...was.item.usage, ...estimated } })
  }

  const page = await troupe.open('/board')
  await page.getByText('≈$0.18', { exact: true }).waitFor()
  await page.getByText('$0.13', { exact: true }).waitFor() // of another task, and counted
  await page.getByRole('link', { name: /opaque cursor/ }).click()
  await page.getByText('≈$0.18', { exact: true }).first().waitFor()
  const ofTask = page.url()
  await page.goto(ofTask.replace(/\/task.*/, '?tab=sprint'))

  await page
    .getByText(/^≈\$0\.\d+$/)
    .nth(1)
    .waitFor()
})

test('[A102] so it has in the list of jobs, at the head of a job, at each exchange and among its figures', async (t) => {
  const troupe = await openTroupe(t, jobReplies)
  await setJob(troupe)
  await markJob(troupe)

  const page = await troupe.open('/jobs/paging')
  await page.getByText('≈$0.18').nth(2).waitFor()
  const shown = await page.getByText('≈$0.18').count()
  await page.goto(page.url().replace(/#.*/, '') + '?tab=metrics')

  await page.getByRole('region', { name: 'All figures by role and model' }).getByText(/^≈/).first().waitFor()
  assert.ok(shown >= 3, `${shown} are marked: the list, the head and an exchange should be`)
})

async function markJob(troupe: Troupe): Promise<void> {
  const driver = await troupe.openStore()
  await until(async () => (await jobs.get(driver, 'paging')).item.status === 'APPROVAL_REQUIRED')
  const job = await jobs.get(driver, 'paging')
  await jobs.replace(driver, job, { ...job.item, usage: { ...job.item.usage, ...estimated } })
  for (const was of await jobInteractions.list(driver))
    await jobInteractions.replace(driver, was, { ...was.item, usage: { ...was.item.usage, ...estimated } })
}
