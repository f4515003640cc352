import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { gitText } from '../../src/worktrees/repository.ts'
import { jobInteractions, jobs } from '../../src/store/tables.ts'
import { openTroupe } from './open-troupe.ts'
import { setRepository } from './set-board.ts'
import { jobReplies, setJob } from './set-job.ts'
import { setJobs } from './set-jobs.ts'

test('[J69] the second click of a double click on Approve starts nothing', async (t) => {
  const troupe = await openTroupe(t, [])
  await setJobs(troupe)
  const page = await troupe.open('/jobs/paging')
  const started: string[] = []
  page.on('request', (request) => request.url().endsWith('/job/start') && started.push(request.url()))
  const press = await pressAt(page, page.getByRole('button', { name: 'Approve' }))

  await press()
  await page.getByRole('button', { name: 'Run until you are needed' }).waitFor()
  await press()
  await page.evaluate(() => fetch('/healthz'))
  const byDoubleClick = started.length
  const asked = page.waitForRequest((request) => request.url().endsWith('/job/start'))
  await page.mouse.move(0, 0)
  await page.getByRole('button', { name: 'Run until you are needed' }).click() // the pointer moved, so it is meant
  await asked

  assert.equal(byDoubleClick, 0)
})

test('[J69] the second click of a double click on a step suspends and recovers nothing', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Thinking.', fail: 'hang' }])
  await setRepository(troupe.workspace)
  await troupe.ask('POST', '/api/job/create', { id: 'paging', source: troupe.workspace, activate: true, objective: 'Page it' })
  const page = await troupe.open('/jobs/paging')
  const run = page.getByRole('button', { name: 'Run until you are needed' })
  const suspend = page.getByRole('button', { name: 'Suspend' })
  const press = await pressAt(page, run)

  await press()
  await run.waitFor({ state: 'detached' })
  await press()
  await page.evaluate(() => fetch('/healthz'))

  const { item } = await jobs.get(await troupe.openStore(), 'paging')
  assert.equal(item.status, 'RUNNING')
  await suspend.click() // elsewhere, and meant
  await page.getByRole('button', { name: 'Resume' }).waitFor()
})

test('[J72] an attempt that failed says where its files are set aside, with a command that shows them', async (t) => {
  const troupe = await openTroupe(t, [])
  const { agent } = await setJobs(troupe)
  const page = await troupe.open('/jobs/paging')

  const failed = page.locator('li').filter({ has: page.getByRole('heading', { name: 'Set aside' }) })
  const command = await failed.getByText(/^git diff /).textContent()

  const kept = (await jobInteractions.items(agent.driver, { where: { job_id: 'paging' } })).find(({ set_aside }) => set_aside !== null)
  assert.ok(kept !== undefined && command !== null && command.endsWith(` ${kept.set_aside?.ref}`))
  await gitText(troupe.workspace, ['diff', ...command.split(' ').slice(2)])
  assert.equal(await failed.count(), 1)
})

/** Moves the pointer onto a button; what is given back clicks where it is, whatever is there by then. */
async function pressAt(page: Page, button: Locator): Promise<() => Promise<void>> {
  await button.waitFor()
  const { x, y, width, height } = (await button.boundingBox()) ?? assert.fail('the button is not drawn')
  await page.mouse.move(x + width / 2, y + height / 2)
  return async () => {
    await page.mouse.down()
    await page.mouse.up()
  }
}

test('[V28] a job that is done shows what came of it and is merged by a button; a branch that is checked out stays, with the reason', async (t) => {
  const troupe = await openTroupe(t, jobReplies)
  await setJob(troupe)
  const page = await troupe.open('/jobs/paging')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const done = page.getByRole('region', { name: 'The job is done' })
  await done.getByText('1 file changed').waitFor()

  await done.getByRole('button', { name: 'Merge' }).click()
  await done.getByText(/is checked out in/).waitFor()
  await gitText(troupe.workspace, ['branch', 'later'])
  await done.getByLabel('Merge into the branch').fill('later')
  await done.getByRole('button', { name: 'Merge' }).click()
  await done.getByText(/Merged as/).waitFor()

  assert.match(await gitText(troupe.workspace, ['show', 'later:src/page.ts']), /pageSize = 50/)
})
