import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { resubmitJob } from '../../src/jobs/steward/resubmit.ts'
import { exit } from '../../src/jobs/test-job.ts'
import { jobInteractions, jobs } from '../../src/store/tables.ts'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook } from './page-faults.ts'
import { setRepository } from './set-board.ts'
import { setJobs } from './set-jobs.ts'
import { perform } from '../../src/domain/operation.ts'

test('[J45] without a job the screen says what belongs there, and a wrong form says what is wrong', async (t) => {
  const troupe = await openTroupe(t, [])
  await setRepository(troupe.workspace)
  const page = await troupe.open('/jobs')
  await page.getByText('No jobs yet.').waitFor()
  await page.getByText('No agent has worked yet').waitFor()

  await page.getByRole('link', { name: 'New job' }).click()
  await page.getByLabel('Name').fill('not a name')
  await page.getByLabel('Objective').fill('Page every list')
  await page.getByRole('button', { name: 'Create and start' }).click()
  await page.getByText(/letters, digits, _ and -/).waitFor()
  assert.equal(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Name').fill('paging')
  await page.getByRole('button', { name: 'Create and start' }).click()
  await page.getByRole('heading', { name: 'paging' }).waitFor()

  await page.getByRole('link', { name: /paging/ }).waitFor()
  await page.getByRole('button', { name: 'Run until you are needed' }).waitFor()
})

test('[J46] the list has those that wait for a person first, then the queue in its order, and follows a change without a reload', async (t) => {
  const troupe = await openTroupe(t, [])
  const context = await setJobs(troupe)
  const page = await troupe.open('/jobs')
  const group = (name: string) =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
      .getByRole('link')
  await group('Queue').first().waitFor()
  const before = [await group('Needs you').allTextContents(), await group('Queue').allTextContents()]

  await perform(resubmitJob, context, { job: 'orders', note: 'By number' })
  await group('Queue').filter({ hasText: 'orders' }).waitFor()

  const starts = before.map((texts) => texts.map((text) => /^\d?[a-z]+/.exec(text)?.[0]))
  assert.deepEqual(starts, [
    ['paging', 'orders'],
    ['1invoices', '2metrics'],
  ])
  assert.deepEqual((await group('Needs you').allTextContents()).length, 1)
})

test('[J47] an exchange shows prompt, files, raw answer, parsed command, claimed and real evidence, checks and cost', async (t) => {
  const troupe = await openTroupe(t, [])
  await setJobs(troupe)
  const page = await troupe.open('/jobs/paging')
  const exchange = (number: number) => page.locator('li').filter({ has: page.getByRole('heading', { name: new RegExp(`^${number}\\. `) }) })
  const opened = async (number: number, title: RegExp) => {
    const fold = exchange(number).locator('details').filter({ hasText: title }).first()
    await fold.locator('summary').click()
    return fold.locator('pre').innerText()
  }
  await exchange(8).waitFor()

  const texts = {
    prompt: await opened(8, /^Prompt/),
    files: await opened(8, /^Files given \(2\)/),
    raw: await opened(4, /^Raw answer/),
    command: await opened(4, /^Exit command: COMPLETED/),
    none: await opened(2, /^Exit command: none/),
    check: await opened(5, /^failed decode · exit code 1/),
  }

  assert.match(texts.prompt, /You are operating in SUPERVISOR role[^]*A damaged cursor answers 400/)
  assert.deepEqual(texts.files.split('\n').toSorted(), ['src/cursor.test.ts', 'src/cursor.ts'])
  assert.match(texts.raw, /^I compared the claims with the diff\./)
  assert.equal(JSON.parse(texts.command).action, 'COMPLETED')
  assert.match(texts.none, /No exit command could be read from this answer: there is no JSON object/)
  assert.match(texts.check, /no decode in src/)
  const third = await exchange(3).innerText()
  assert.match(third, /Claimed\s+changed\s+docs\/cursor\.md\s+missing\s+docs\/errors\.md[^]*outside\s+\.\.\/notes\.md/)
  assert.match(await exchange(7).innerText(), /Actual changes in this phase[^]*added, not reported\s+src\/cursor\.ts/)
  assert.match(third, /\$0\.0030/)
  await page
    .locator('p')
    .filter({ hasText: /steward\s*approve phase: Approval required → Pending\s*“Go on”/ })
    .waitFor()
})

test('[J48] the Steward has a button for every verb where the table allows it, and a reason where one is needed', async (t) => {
  const troupe = await openTroupe(t, [])
  const context = await setJobs(troupe)
  // oxfmt-ignore
  const decisions: [job: string, button: string, words: string | null, status: string][] = [
    ['client',   'Activate',               null,           'PENDING'],
    ['paging',   'Reject',                 'Too short',    'PENDING'],
    ['orders',   'Resubmit to review',     'By number',    'REVIEW_REQUIRED'],
    ['search',   'Resume',                 null,           'PENDING'],
    ['invoices', 'Suspend',                null,           'SUSPENDED'],
    ['metrics',  'Cancel the job',         'Not wanted',   'CANCELED'],
  ]
  const page = await troupe.open('/jobs')

  const faults: string[] = []
  for (const [id, button, words, status] of decisions) {
    await openJob(page, id)
    await page.getByRole('heading', { name: id, exact: true }).waitFor()
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog')
    if (words !== null) {
      if (button === 'Reject' && !(await dialog.getByRole('button', { name: button }).isDisabled()))
        faults.push('Reject goes without a reason')
      await dialog.getByRole('textbox').fill(words)
      await dialog.getByRole('button', { name: button }).click()
    }
    await page.locator('header').getByText(status.replace('_', ' ')).waitFor()
    const { item } = await jobs.get(context.agent.driver, id)
    if (item.status !== status) faults.push(`${id} is ${item.status}`)
    if (words !== null && status !== 'CANCELED' && !item.feedback.some(({ text }) => text.includes(words)))
      faults.push(`${id} lost ${words}`)
  }
  await openJob(page, 'limits')
  await page.getByRole('heading', { name: 'limits', exact: true }).waitFor()

  assert.deepEqual(faults, [])
  assert.equal(await page.getByRole('button', { name: /Approve|Reject|Suspend|Resume|Cancel|Resubmit|One step/ }).count(), 0)
})

test('[J48] [J64] a phase is approved and a stuck Worker released by their buttons, and the agents of the server go on', async (t) => {
  const good = exit('COMPLETED', [], 'It is documented.')
  const troupe = await openTroupe(t, [{ text: good, repeat: true }])
  const context = await setJobs(troupe)
  for (const id of ['paging', 'orders']) {
    const was = await jobs.get(context.agent.driver, id)
    const roles = {
      worker: { ...was.item.roles.worker, model: 'local/scripted' },
      supervisor: { ...was.item.roles.supervisor, model: 'local/scripted' },
    }
    const checks = [{ name: 'links', command: 'false', timeout_ms: 60_000 }]
    await jobs.replace(context.agent.driver, was, { ...was.item, roles, checks, limits: { ...was.item.limits, max_cost_microusd: null } })
  }
  const page = await troupe.open('/jobs/paging')

  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText(/Phase 3 of 3: document/).waitFor()
  await page.getByRole('button', { name: 'Run until you are needed' }).click()
  await page.getByRole('heading', { name: /^10\. Supervisor/ }).waitFor()
  await page.getByRole('note', { name: 'Before you approve' }).getByText('the check links failed').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.locator('header').getByText('Success', { exact: true }).waitFor()
  await openJob(page, 'orders')
  await page.getByRole('button', { name: 'Resubmit to the Worker' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('By number')
  await page.getByRole('dialog').getByRole('button', { name: 'Resubmit to the Worker' }).click()
  await page.getByRole('button', { name: 'One step' }).click()

  await page.locator('header').getByText('Review required').waitFor()
  const { item } = await jobs.get(context.agent.driver, 'paging')
  assert.equal(item.status, 'SUCCESS')
})

test('[J49] metrics are drawn, and what a replay finds different stands side by side', async (t) => {
  const troupe = await openTroupe(t, [])
  const context = await setJobs(troupe)
  const [seventh] = await jobInteractions.list(context.agent.driver, { where: { job_id: 'paging', sequence: 7 } })
  assert.ok(seventh)
  const { interaction } = seventh.item
  const response = { ...interaction.response, raw_response: 'I have nothing to say.' }
  await jobInteractions.replace(context.agent.driver, seventh, { ...seventh.item, interaction: { ...interaction, response } })
  const page = await troupe.open('/jobs/paging')

  await page.getByRole('tab', { name: 'Replay' }).click()
  await page.getByText('Exchange 7').first().waitFor()
  const [then, now] = [
    await page.getByText('Recorded').first().boundingBox(),
    await page.getByText('Now', { exact: true }).first().boundingBox(),
  ]
  await page.getByRole('tab', { name: 'Metrics' }).click()
  const costs = page.getByRole('table', { name: 'Cost of each step' }).getByRole('row')
  await costs.first().waitFor()
  const figures = page.getByRole('region', { name: 'All figures by role and model' }).getByRole('row')

  assert.ok(then && now && then.x < now.x && then.y === now.y)
  assert.equal(await costs.count(), 8)
  assert.match(
    (await figures.allInnerTexts()).join('\n'),
    /Worker\s+anthropic\/claude-sonnet\s+5\s+60 %\s+1[^]*Supervisor\s+openai\/gpt-5\s+3\s+67 %\s+1/,
  )
})

test('[J50] every tab of a job, the list and the form are free of faults that axe finds, by day, by night and on a phone, where nothing sticks out', async (t) => {
  const troupe = await openTroupe(t, [])
  await setJobs(troupe)
  const faults: string[] = []

  for (const path of ['/jobs', '/jobs/new', '/jobs/orders', '/jobs/paging']) {
    const page = await troupe.open(path)
    await page
      .getByRole(path === '/jobs' ? 'link' : 'heading', { name: path === '/jobs' ? 'New job' : /New job|orders|paging/ })
      .first()
      .waitFor()
    for (const tab of [null, ...(await page.getByRole('tab').all())]) {
      await tab?.click()
      await page.waitForFunction(() => document.querySelector('[role=status]') === null)
      faults.push(...(await faultsInEveryLook(page)).map((fault) => `${path} ${fault}`))
    }
    await page.close()
  }

  assert.deepEqual(faults, [])
})

async function openJob(page: Page, id: string): Promise<void> {
  const links = page.getByRole('link', { name: new RegExp(id) })
  await links.first().click()
}
