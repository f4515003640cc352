import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { pageFaults } from './page-faults.ts'
import { plan, setBoard, setRepository } from './set-board.ts'

const addresses = {
  '/chat/chat_none': ['chat', 'All chats'],
  '/jobs/none': ['job', 'All jobs'],
  '/board/none': ['board', 'Board'],
  '/workflows/show/none': ['workflow', 'All workflows'],
  '/workflows/none': ['workflow', 'All workflows'],
  '/workflows/runs/none': ['run', 'All runs'],
  '/roles/none': ['role', 'All roles'],
} as const

test('[P52] an address that names nothing says so in words and has a way out', async (t) => {
  const troupe = await openTroupe(t, [])
  const faults: string[] = []

  for (const [path, [what, others]] of Object.entries(addresses)) {
    const page = await troupe.open(path, { width: 375, height: 667 })
    await page.getByRole('heading', { name: `There is no such ${what}` }).waitFor()
    await page.getByRole('main').getByRole('link', { name: others }).waitFor()
    faults.push(...(await pageFaults(page)).map((fault) => `${path}: ${fault}`))
  }

  assert.deepEqual(faults, [])
})

test('[P53] a browser with the token of another home is told so, and the right address opens the page', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/roles')
  await page.getByRole('heading', { name: 'Roles' }).waitFor()
  const key = await page.evaluate(() => localStorage.getItem('troupe.token'))

  await page.evaluate(() => localStorage.setItem('troupe.token', 'of-another-home'))
  await page.reload()
  await page.getByText('This browser has the token of another Troupe server').waitFor()
  await page.evaluate((token) => (location.hash = `token=${token}`), key)

  await page.getByRole('heading', { name: 'Roles' }).waitFor()
  assert.equal(new URL(page.url()).hash, '')
})

test('[P62] without a chat the list says what belongs there, and leads to the first one', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/chat', { width: 375, height: 667 })

  await page.getByText('No chats yet. In a chat, you plan with the Planner and the Actor carries the plan out.').waitFor()
  const faults = await pageFaults(page)
  await page.getByRole('link', { name: 'New chat' }).click()

  await page.getByLabel('What do you want done?').waitFor()
  assert.deepEqual(faults, [])
})

test('[W99] without a run the list says how one begins, and leads to a workflow that can be played', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/workflows?tab=runs', { width: 375, height: 667 })

  await page.getByText('No run yet').waitFor()
  await page.getByText('Play a workflow here, or let a coding agent follow one over MCP').waitFor()
  const faults = await pageFaults(page)
  await page.getByRole('link', { name: 'Choose a workflow' }).click()
  await page.getByRole('link', { name: /Investigate a bug/ }).click()

  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})

test('[B151] a goal that names no spec says that there is nothing to plan from, and what to do', async (t) => {
  const troupe = await openTroupe(t, [])
  await setRepository(troupe.workspace)
  await troupe.ask('POST', '/api/board/init', { goal: 'Page every list' })

  const page = await troupe.open('/board')

  await page.getByText('No task yet, and no spec to plan from').waitFor()
  await page.getByText('Add its tasks yourself, each with its spec').waitFor()
})

test('[B159] a goal with tasks and nobody at work, or only agents whose lease has run out, says how a team is started', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await plan(desk, { id: 'users', description: 'Page GET /users by 50' }, true)
  await desk.agent('coder-1')
  await desk.expire('coder-1')

  const page = await troupe.open('/board')

  const told = page.getByRole('region', { name: 'Team' }).filter({ hasText: 'Nobody is at work on this goal.' })
  await told.getByText('troupe team --planner').waitFor()
})
