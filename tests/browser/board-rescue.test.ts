import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readActivity } from '../../src/board/activity.ts'
import { claimWithWorktree } from '../../src/board/task/claim.ts'
import { boardAgents, tasks } from '../../src/store/tables.ts'
import { openTroupe } from './open-troupe.ts'
import { pageFaults } from './page-faults.ts'
import { plan, setBoard } from './set-board.ts'

test('[B231] the id of an agent whose process is gone is freed on the page, with a reason while its lease runs', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  await plan(board, { id: 'users', description: 'Page GET /users by 50' })
  for (const id of ['coder-10', 'coder-2']) await board.agent(id)
  await claimWithWorktree(board, await board.agent('coder-1'), 'users')
  const page = await troupe.open(`/board/${board.board_id}?tab=agents`)
  const agent = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'coder-1', exact: true }) })
  await agent.waitFor()
  const order = await page.getByRole('heading', { name: /^coder-/ }).allTextContents()

  await agent.getByRole('button', { name: 'Free this id' }).click()
  const dialog = page.getByRole('dialog', { name: 'Free coder-1' })
  const free = dialog.getByRole('button', { name: 'Free' })
  const unsaid = await free.isDisabled()
  await dialog.getByLabel('Reason').fill('its terminal was closed')
  const faults = await pageFaults(page)
  await free.click()
  await dialog.waitFor({ state: 'detached' }) // what it covers counts as not there
  await agent.waitFor({ state: 'detached' })

  const log = await readActivity(board.driver, board.board_id)
  assert.deepEqual([order, unsaid, faults], [['coder-1', 'coder-2', 'coder-10'], true, []])
  assert.equal((await tasks.get(board.driver, `${board.board_id}/users`)).item.status, 'UNCLAIMED')
  assert.match(log.find(({ action }) => action === 'agent_freed')?.detail ?? '', /its terminal was closed/)
})

test('[B231] one whose lease ran out is freed without a reason', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  await board.agent('coder-1')
  await board.expire('coder-1')
  const page = await troupe.open(`/board/${board.board_id}?tab=agents`)

  await page.getByRole('button', { name: 'Free this id' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Free' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'coder-1' }).waitFor({ state: 'detached' })

  assert.equal(await boardAgents.find(board.driver, `${board.board_id}/coder-1`), null)
})

test('[B231] a gate that refuses the words of a task is overridden on the page with a reason, and no field that says nothing', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  const page = await troupe.open('/board')
  await page.getByRole('button', { name: 'Add a task' }).click()
  const form = page.getByRole('dialog')
  const reason = form.getByLabel('Override the gate, because')
  await form.getByLabel('What is to be done').fill('Page GET /users by 50')
  await form.getByLabel('Id').fill('users')
  await form.getByLabel('Scope').fill('IN: users')
  await form.getByLabel('Spec', { exact: true }).fill('specs/paging.md')

  await form.getByRole('button', { name: 'Finalize' }).click()
  await form.locator('[aria-invalid]').waitFor()
  const offeredForNothing = await reason.count()
  await form.getByLabel('Done when').fill('Paging works correctly')
  await form.getByRole('button', { name: 'Finalize' }).click()
  await reason.fill('It is a spike')
  await form.getByRole('button', { name: 'Finalize' }).click()
  await form.waitFor({ state: 'detached' })

  const { item } = await tasks.get(board.driver, `${board.board_id}/users`)
  assert.equal(offeredForNothing, 0)
  assert.deepEqual([item.status, item.gates_overridden.map((one) => one.reason)], ['UNCLAIMED', ['It is a spike']])
})

test('[B232] an alarm tells its time as a person reads it, and a task that nobody wrote about has no notes', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  await plan(board, { id: 'users', description: 'Page GET /users by 50' })
  await claimWithWorktree(board, await board.agent('coder-1'), 'users')
  const key = `${board.board_id}/coder-1`
  const was = await boardAgents.get(board.driver, key)
  await boardAgents.replace(board.driver, was, { ...was.item, lease_expires: '2026-01-02T03:04:05.678Z' })
  const page = await troupe.open(`/board/${board.board_id}`)

  await page
    .getByText(/coder-1 has been silent since 03:04/)
    .first()
    .waitFor()
  const exact = await page.getByText('2026-01-02T').count()
  await page.getByRole('link', { name: /Page GET .users/ }).click()

  await page.getByRole('tab', { name: 'Notes and anomalies (0)' }).waitFor()
  assert.equal(exact, 0)
})
