import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { OperationOutput } from '../../src/api/operations.ts'
import { openTroupe } from './open-troupe.ts'
import { pageFaults } from './page-faults.ts'
import { plan, setBoard } from './set-board.ts'
import { jobReplies, setJob } from './set-job.ts'

test('[V24, V25] comments on lines of a job outlive a reload, and the Worker reads the batch with the lines it is about', async (t) => {
  const troupe = await openTroupe(t, jobReplies)
  await setJob(troupe)
  const page = await troupe.open('/jobs/paging?tab=changes')
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor() // the work is over
  await page.getByText('= 50').waitFor()

  await page.getByRole('button', { name: 'Comment on line 1' }).click()
  await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Take it from the settings.')
  await page.reload()
  const draft = await page.getByRole('textbox', { name: 'Comment on line 1' }).inputValue()
  await page.keyboard.press('Tab')
  const faults = await pageFaults(page)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('button', { name: 'Send the phase back' }).click()
  await page.getByRole('button', { name: 'Send the phase back' }).waitFor({ state: 'detached' })
  const { job } = (await troupe.ask('GET', '/api/job/status?job=paging')) as OperationOutput<'job.status'>

  assert.equal(draft, 'Take it from the settings.')
  assert.deepEqual(faults, [])
  assert.equal(job.status, 'PENDING')
  assert.match(job.feedback.at(-1)?.text ?? '', /src\/page\.ts:1\n> export const pageSize = 50\nTake it from the settings\./)
})

test('[V24, V25] comments on lines of a chat are one message to its agent, written with the keyboard alone', async (t) => {
  const troupe = await openTroupe(t, [
    { text: '', calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'Good day\nGood night\n' } }] },
    { text: 'It is written.' },
    { text: 'I see.' },
  ])
  const page = await troupe.openChat('actor', 'Write a greeting')
  await page.getByText('It is written.').waitFor()

  await page.getByRole('button', { name: 'Changes' }).click()
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Comment on line 1' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Comment on line 2' }).fill('Only by day.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Send to the agent' }).click()
  await page.getByText('I see.').waitFor()

  assert.match(JSON.stringify(troupe.model.requests.at(-1)?.body), /greeting\.txt:2\\+n> Good night\\+nOnly by day\./)
})

test('[V24, V26] comments on lines of a task, each with its fix, are the findings of a rejection', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  await plan(board, { id: 'users', description: 'GET /users pages by cursor' })
  await board.submitted(await board.agent('coder-1'), 'users', 'src/users.ts', 'export const users = []\n')
  const page = await troupe.open(`/board/${board.board_id}/task/users?tab=work`)

  await page.getByRole('button', { name: 'Comment on line 1' }).click()
  await page.getByRole('textbox', { name: 'What is wrong on line 1' }).fill('It is empty for ever')
  await page.getByRole('textbox', { name: 'What would be right' }).fill('Read them from the table')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('button', { name: 'Reject with these findings' }).click()
  await page.getByText('Finding 1.1').waitFor()

  const { status, rejection_reason } = await board.task('users')
  assert.equal(status, 'REJECTED')
  assert.match(rejection_reason ?? '', /src\/users\.ts:1 .*It is empty for ever Fix: Read them from the table/)
})

/** Presses Tab until something has the focus, as somebody without a pointer does. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let pressed = 0; pressed < 50; pressed++) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
  }
  assert.fail('the tab key does not lead there')
}
