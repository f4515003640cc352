import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockTask } from '../../src/board/task/block.ts'
import { claimWithWorktree } from '../../src/board/task/claim.ts'
import { boards, tasks } from '../../src/store/tables.ts'
import { openTroupe } from './open-troupe.ts'
import { pageFaults } from './page-faults.ts'
import { plan, setBoard } from './set-board.ts'

test('[B153, B152] a task is written on the screen, refused at its fields, kept as a draft, mended and finalized', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  const page = await troupe.open('/board')
  await page.getByRole('button', { name: 'Add a task' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('What is to be done').fill('Page GET /users by 50')
  await form.getByLabel('Done when').fill('Paging works correctly')
  await form.getByLabel('Id').fill('users')

  await form.getByRole('button', { name: 'Finalize' }).click()
  await form.getByText('"works correctly" cannot be proven wrong').waitFor()
  const refused = await form.locator('[aria-invalid]').count()
  const faults = await pageFaults(page)
  const kept = await tasks.get(desk.driver, `${desk.board_id}/users`)
  await form.getByLabel('Done when').fill('GET /users returns 50 items')
  await form.getByLabel('Scope').fill('IN: users')
  await form.getByLabel('Spec', { exact: true }).fill('specs/paging.md')
  await form.getByRole('button', { name: 'Finalize' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('1 planned task waits for your approval.').waitFor()

  assert.deepEqual([refused, kept.item.status], [3, 'DRAFT'])
  assert.deepEqual(faults, [])
  assert.equal((await tasks.get(desk.driver, `${desk.board_id}/users`)).item.done_when, 'GET /users returns 50 items')
})

test('[B154, B155] a blocked task raises an alarm on the board, and is split on its page', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await plan(desk, { id: 'lists', description: 'Page all lists' })
  const coder = await desk.agent('coder-1')
  await claimWithWorktree(desk, coder, 'lists')
  await blockTask(desk, coder, 'lists', { blocked_reason: 'There are two lists and one spec.', blocked_questions: ['Which list?'] })
  const page = await troupe.open('/board')
  await page.getByText('1 alarm').click()
  await page.getByRole('list', { name: 'Alarms' }).getByRole('link', { name: 'lists' }).click()

  await page.getByRole('button', { name: 'Replace' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Why it does not stay as it is').fill('It is two things.')
  await form.getByLabel('Root cause').fill('It was cut too large.')
  await form.getByRole('button', { name: 'Split off another task' }).click()
  const second = form.getByRole('group', { name: 'Replacement 2' })
  await second.getByLabel('Done when').fill('It is done properly')
  await form.getByRole('button', { name: 'Split into 2' }).click()
  await second.getByText('cannot be proven wrong').waitFor()
  const first = await form.getByRole('group', { name: 'Replacement 1' }).locator('[aria-invalid]').count()
  await second.getByLabel('Done when').fill('GET /orders returns 50 items')
  await form.getByRole('button', { name: 'Split into 2' }).click()
  await page.getByText('Superseded').waitFor()

  assert.equal(first, 0)
  const { superseded_by } = (await tasks.get(desk.driver, `${desk.board_id}/lists`)).item
  assert.deepEqual(superseded_by, ['lists-2', 'lists-3'])
})

test('[B157, B158] at a checkpoint the sprint shows its report; what was decided and learned joins the retrospective', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await plan(desk, { id: 'users', description: 'Page GET /users' })
  const page = await troupe.open('/board')
  await page.getByRole('button', { name: 'Checkpoint' }).click()
  await page.getByRole('button', { name: 'Stop for a checkpoint' }).click()
  await page.getByText('The team stands at a checkpoint').waitFor()

  await page.getByRole('tab', { name: 'Sprint' }).click()
  await page.getByText('Planned: 0 of 1 done; stretch: 0 of 0').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByLabel('What was decided').fill('Go on as planned')
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByText('decided at a checkpoint').waitFor()
  await page.getByRole('button', { name: 'Add to it' }).click()
  await page.getByLabel('What went well').fill('The plan held')
  await page.getByLabel('What is to be done about it').fill('Cut smaller\nAsk earlier')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('listitem').getByText('The plan held').waitFor() // not the field it was written in

  const { retrospective } = (await boards.get(desk.driver, desk.board_id)).item.sprint
  assert.deepEqual(retrospective?.records[0]?.actions, ['Cut smaller', 'Ask earlier'])
})
