import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { blockTask } from '../../src/board/task/block.ts'
import { claimWithWorktree } from '../../src/board/task/claim.ts'
import { openTroupe } from './open-troupe.ts'
import { stickingOut } from './page-faults.ts'
import { plan, setBoard } from './set-board.ts'
import { asking, planned, replyWith } from '../replies.ts'

const replies = [
  { text: replyWith('Here it is.', planned('Write a greeting', ['Create greeting.txt'])) },
  { text: JSON.stringify(asking('Which greeting?', { hello: 'Hello', good_day: 'Good day' })) },
  { text: '', calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'Good day\n' } }] },
  { text: 'The greeting is written.' },
]

test('[P25] everything from the request to the answer can be done with the keyboard alone', async (t) => {
  const troupe = await openTroupe(t, replies)
  const page = await troupe.open('/chat/new')
  await page.getByLabel('What do you want done?').waitFor()

  await page.keyboard.type('Write a greeting')
  await pressByKeys(page, 'Start')
  await page.getByRole('button', { name: 'Execute Plan' }).waitFor()
  await pressByKeys(page, 'Edit')
  await page.getByLabel('What is done').press('Shift+Tab') // back to the field before it, and no switch of the role
  await page.getByLabel('Goal').and(page.locator(':focus')).waitFor()
  await pressByKeys(page, 'Cancel')
  await pressByKeys(page, 'Execute Plan')
  await page.getByRole('region', { name: 'Question' }).waitFor()
  await pressByKeys(page, 'Good day')

  await page.getByText('The greeting is written.').waitFor()
  assert.ok(existsSync(join(troupe.workspace, 'greeting.txt')))
})

test('[P25] the role is switched and the palette is opened by key', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.openChat('planner')
  await page.getByRole('button', { name: 'Role: Planner. Switch role' }).waitFor()

  await page.getByRole('textbox', { name: 'Message' }).focus()
  await page.keyboard.press('Control+.')
  await page.getByRole('menuitem', { name: 'Actor acts' }).waitFor()
  await page.keyboard.type('Act')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Role: Actor. Switch role' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('needs')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
})

test('[P26] at the width of a phone the whole way works and nothing sticks out sideways', async (t) => {
  const troupe = await openTroupe(t, replies)
  const page = await troupe.open('/chat/new', { width: 375, height: 667 })

  await page.getByLabel('What do you want done?').fill('Write a greeting')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: 'Execute Plan' }).waitFor()
  const out = [await stickingOut(page)]
  await page.getByRole('button', { name: 'Execute Plan' }).click()
  await page.getByRole('button', { name: 'Good day' }).click()
  await page.getByText('The greeting is written.').waitFor()
  out.push(await stickingOut(page))
  await page.getByRole('link', { name: 'All chats' }).click()
  await page.getByRole('link', { name: /Write a greeting/ }).waitFor()
  out.push(await stickingOut(page))

  assert.deepEqual(out, [[], [], []])
})

test('[P26] on a phone the head of a chat has room for its title and for what it cost, and still says its role', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'I have read it.' }])
  const { id } = await troupe.newChat('code_reviewer', 'Look at parsePrice')
  const page = await troupe.open(`/chat/${id}`, { width: 375, height: 667 })

  await page.getByRole('button', { name: 'Role: Code Reviewer. Switch role' }).waitFor()
  const title = page.getByRole('heading', { name: 'Look at parsePrice' })
  const cost = page.getByText(/tokens · cost unknown/).and(page.locator('h1 + p'))
  await page.getByText('I have read it.').waitFor()

  assert.deepEqual([await cutOff(title), await cutOff(cost), await stickingOut(page)], [0, 0, []])
})

test('[P26] words without an end are broken, and an objective of pages leaves the buttons of its job in sight', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  const coder = await desk.agent('coder-1')
  const endless = 'x'.repeat(300)
  await plan(desk, { id: 'users', description: endless })
  await claimWithWorktree(desk, coder, 'users')
  await blockTask(desk, coder, 'users', { blocked_reason: endless, blocked_questions: [endless], attempted: [endless] })
  const objective = `${'Page every list by 50. '.repeat(100)}${endless}`
  await troupe.ask('POST', '/api/job/create', { id: 'paging', source: troupe.workspace, objective })
  const phone = { width: 375, height: 667 }

  const [board, task, job] = [
    await troupe.open(`/board/${desk.board_id}`, phone),
    await troupe.open(`/board/${desk.board_id}/task/users`, phone),
    await troupe.open('/jobs/paging?tab=objective', phone),
  ]
  const out = [await cutOff(board.getByRole('form')), await cutOff(task.getByRole('form'))]
  await job.getByRole('definition').filter({ hasText: endless }).waitFor()
  const button = await job.getByRole('button', { name: 'Activate' }).boundingBox()

  assert.deepEqual([...out, await stickingOut(task), await stickingOut(job)], [0, 0, [], []])
  assert.ok(button !== null && button.y + button.height < 667, `the button is at ${button?.y}`)
})

test('[P50] the palette finds a job and a board by what they are about, and begins a new one', async (t) => {
  const troupe = await openTroupe(t, [])
  const { board_id } = await setBoard(troupe)
  const job = { id: 'greet', source: troupe.workspace, objective: 'Greet the world' }
  await troupe.ask('POST', '/api/job/create', job)
  const page = await troupe.open('/chat')
  await page.getByRole('navigation').waitFor()

  const search = async (words: string) => {
    await page.keyboard.press('Meta+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(words)
  }
  await search('greet job')
  await page.getByRole('option', { name: /^greet: / }).click()
  await page.getByRole('heading', { name: 'greet' }).waitFor()
  await search('every list of the API')
  await page.getByRole('option', { name: /Board$/ }).waitFor()
  await page.keyboard.press('Enter')

  await page.waitForURL(`**/board/${board_id}`)
  await search('new workflow')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New workflow' }).waitFor()
})

test('[P50] a line of the palette that comes to lie under a mouse at rest is not chosen by it', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/chat')
  await page.getByRole('navigation').waitFor()
  await page.keyboard.press('Control+k')
  const choices = page.getByRole('option')

  await choices.nth(2).dispatchEvent('mousemove', { bubbles: true }) // as a browser tells of it: by no distance
  const atRest = await choices.first().getAttribute('aria-selected')
  await choices.nth(2).hover()

  assert.equal(atRest, 'true')
  await page.getByRole('option', { selected: true, name: 'New job' }).waitFor()
})

test('[P50] on the narrowest phone a touch opens the palette, and the theme is in it', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/needs-you', { width: 320, height: 568 })
  const shown = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)

  await page.getByRole('button', { name: 'Search' }).click()
  const out = await stickingOut(page)
  await page.getByRole('option', { name: /^Dark theme/ }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const dark = await shown()
  await page.reload()
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()

  assert.deepEqual([out, dark, await shown()], [[], 'dark', 'dark'])
})

test('[P50] what the arrow keys choose in the palette is in sight', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/roles')
  await page.getByRole('heading', { name: 'Roles' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /^Tester/ }).waitFor()
  for (let pressed = 0; pressed < 20; pressed++) await page.keyboard.press('ArrowDown')
  const list = await page.getByRole('listbox').boundingBox()
  const chosen = await page.getByRole('option', { selected: true }).boundingBox()

  assert.ok(list !== null && chosen !== null)
  assert.ok(chosen.y + chosen.height <= list.y + list.height + 1, `${chosen.y} + ${chosen.height} is below ${list.y} + ${list.height}`)
})

/** How many pixels of what it says lie outside of it. */
function cutOff(one: Locator): Promise<number> {
  return one.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
}

/** Presses Tab until what has the focus is called so, then Enter. */
async function pressByKeys(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, disabled: false }).first().waitFor()
  for (let pressed = 0; pressed < 80; pressed++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '')
    if (focused.startsWith(name)) return page.keyboard.press('Enter')
  }
  throw new Error(`${name} cannot be reached by Tab`)
}
