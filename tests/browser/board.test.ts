import { lastEvent } from '../../src/domain/board/event.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimWithWorktree } from '../../src/board/task/claim.ts'
import { boards, tasks } from '../../src/store/tables.ts'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook } from './page-faults.ts'
import { plan, setBoard, setRepository } from './set-board.ts'
import { playScene } from './set-scene.ts'

test('[B151] without a repository the page says what is missing; with one it makes a board', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/board')
  await page.getByText('A board needs a git repository').waitFor()
  await page.getByText('troupe team --goal').waitFor()

  await setRepository(troupe.workspace)
  await page.reload()
  await page.getByLabel('What is the goal?').fill('Page every list')
  await page.getByLabel('Spec file').fill('specs/none.md')
  await page.getByRole('button', { name: 'Create board' }).click()
  await page
    .getByRole('alert')
    .getByText(/specs\/none.md is not a file of this project/)
    .waitFor()
  await page.getByLabel('Spec file').fill('specs/paging.md')
  await page.getByLabel('Integration test').fill('npm test')
  await page.getByRole('button', { name: 'Create board' }).click()

  await page.getByText('No task yet').waitFor()
  await page.getByText(`troupe team --planner --cwd ${troupe.workspace}`).waitFor()
  await page.getByRole('heading', { name: 'Page every list' }).waitFor()
})

test('[B171] the settings of a board are changed on its page, and whether what is merged was tested is said there', async (t) => {
  const troupe = await openTroupe(t, [])
  await setRepository(troupe.workspace)
  const page = await troupe.open('/board')
  await page.getByLabel('What is the goal?').fill('Page every list')
  await page.getByRole('button', { name: 'Create board' }).click()

  await page.getByRole('button', { name: 'No merge check set' }).click()
  const form = page.getByRole('dialog', { name: 'Settings of this board' })
  await form.getByLabel('Integration test').fill('npm test')
  await form.getByLabel('Rejections in a row at most').fill('3')
  await form.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('button', { name: 'Tested before it is merged' }).click()
  assert.equal(await form.getByLabel('Integration test').inputValue(), 'npm test')
  assert.equal(await form.getByLabel('Rejections in a row at most').inputValue(), '3')
})

test('[B166, B167] a goal is brought to its end from the page alone: made, a team started, its plan approved, stopped and started anew', async (t) => {
  const troupe = await openTroupe(t, null)
  await setRepository(troupe.workspace)
  const page = await troupe.open('/board')
  await page.getByLabel('What is the goal?').fill('Page every list')
  await page.getByLabel('Spec file').fill('specs/paging.md')
  await page.getByRole('button', { name: 'Create board' }).click()
  const startTeam = async () => {
    await page.getByRole('button', { name: 'Start a team' }).click()
    const form = page.getByRole('dialog', { name: 'Start a team' })
    await form.getByLabel('Coders').fill('2')
    await form.getByRole('button', { name: 'Start', exact: true }).click()
    await form.waitFor({ state: 'detached' })
  }

  await startTeam()
  await page.getByText('3 planned tasks wait for your approval.').waitFor()
  await page.getByRole('button', { name: 'Stop the team' }).click()
  await page.getByRole('button', { name: 'Stop the team' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Approve the plan' }).click()
  await page.getByText(/The last team has ended: .*coder-1 stopped/).waitFor()
  await startTeam()

  await page.getByText('goal completed').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Stop the team' }).count(), 0)
})

test('[B142, B140] a plan that is approved by its button can be claimed, and what an agent does then shows without a reload', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await plan(desk, { id: 'users', description: 'Page GET /users by 50' }, false)
  const coder = await desk.agent('coder-1')
  const page = await troupe.open('/board')
  await page.getByText('1 planned task waits for your approval.').waitFor()

  await page.getByRole('button', { name: 'Approve the plan' }).click()
  await page.getByText('Ready', { exact: true }).waitFor()
  await claimWithWorktree(desk, coder, 'users')

  const column = page.getByRole('region', { name: 'In progress, 1' })
  await column.getByText('coder-1').waitFor()
  await column.getByText('iteration 1').waitFor()
  await column.getByText(/^lease renewed/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Approve the plan' }).count(), 0)
})

test('[B141, B150] a question of a coder is found under "Needs you", answered on its card, and gone from both', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await playScene(desk)
  const page = await troupe.open('/needs-you')
  await page.getByRole('link', { name: /orders asks: Are orders paged by date/ }).waitFor()
  await page.getByRole('link', { name: /A plan of 2 tasks waits/ }).click()

  const form = page.getByRole('form', { name: 'Answer orders' })
  await form.getByLabel('Your answer').fill('By number, the oldest first')
  await form.getByRole('button', { name: 'Answer and unblock' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Needs you/ }).click()
  await page.getByRole('link', { name: /A plan of 2 tasks waits/ }).waitFor()

  await page.getByRole('link', { name: /orders asks/ }).waitFor({ state: 'detached' })
  const task = await tasks.get(desk.driver, `${desk.board_id}/orders`)
  assert.deepEqual([task.item.status, lastEvent(task.item.history, 'unblocked')?.answer], ['UNCLAIMED', 'By number, the oldest first'])
})

test('[B143] pause, resume and abort are given on the screen; abort asks why first', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  const page = await troupe.open('/board')

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByLabel('Why (the team reads it)').fill('Lunch')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await page.getByText('The team is paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByText('The team is paused').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Abort' }).click()
  const silent = await page.getByRole('button', { name: 'Abort for good' }).isDisabled()
  await page.getByLabel('Why it ends here').fill('The goal was wrong')
  await page.getByRole('button', { name: 'Abort for good' }).click()

  await page.getByText('This goal was aborted').waitFor()
  assert.ok(silent)
  const { goal, signal } = (await boards.get(desk.driver, desk.board_id)).item
  assert.deepEqual([goal.status, signal?.by], ['ABORTED', 'user'])
})

test('[B144, B145, B147] a task opens from the graph, and the finding of its rejection stands under its line', async (t) => {
  const troupe = await openTroupe(t, [])
  await playScene(await setBoard(troupe))
  const page = await troupe.open('/board')
  await page.getByRole('tab', { name: 'Dependencies' }).click()
  const left = async (name: RegExp) => (await page.getByRole('link', { name }).boundingBox())?.x ?? 0
  const order = [
    await left(/cursor · Merged/),
    await left(/users · Rejected/),
    await left(/client · Unclaimed/),
    await left(/docs · Unclaimed/),
  ]

  await page.getByRole('link', { name: /users · Rejected/ }).click()
  await page.getByText('can be proven wrong').waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  const rows = page.getByRole('region', { name: /Changes in src\/users.ts/ }).getByRole('row')
  await rows.filter({ hasText: 'Finding 1.1' }).waitFor()

  const texts = await rows.allTextContents()
  const at = texts.findIndex((text) => text.includes('Finding 1.1'))
  assert.match(texts[at - 1] ?? '', /page\('users', cursor, 100\)/)
  assert.deepEqual(
    order,
    order.toSorted((one, other) => one - other),
  )
  assert.equal(new Set(order).size, 4)
})

test('[B152] every tab of board and task is free of faults that axe finds, by day, by night and on a phone, where nothing sticks out', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await playScene(desk)
  const faults: string[] = []

  for (const path of ['/board', `/board/${desk.board_id}/task/users`]) {
    const page = await troupe.open(path)
    await page.getByRole('tab').first().waitFor()
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await page.getByRole('status').waitFor({ state: 'detached' })
      faults.push(...(await faultsInEveryLook(page)).map((fault) => `${path} ${fault}`))
    }
    await page.close()
  }

  assert.deepEqual(faults, [])
})
