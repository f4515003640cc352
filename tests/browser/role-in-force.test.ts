import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ChatView } from '../../src/chat/show.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { openTroupe } from './open-troupe.ts'

const command = { tool: 'execute_command', input: { command: 'echo begun > begun.txt; sleep 600' } }

/** Opens the list of roles and chooses one. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Role: .* Switch role$/ }).click()
  await page.getByRole('menuitem', { name }).click()
}

test('[P10] in a browser an Actor at work is left for a Tester only after a confirmation, and every line names the role that made it', async (t) => {
  const look = { tool: 'list_directory', input: { path: '.' } }
  const troupe = await openTroupe(t, [{ text: 'I run it.', calls: [command] }, { text: '', calls: [look] }, { text: 'Looked.' }])
  const page = await troupe.openChat('actor', 'Run it')
  await until(() => existsSync(join(troupe.workspace, 'begun.txt')))

  await choose(page, 'Tester acts')
  const dialog = page.getByRole('dialog', { name: 'Stop the work in progress?' })
  await dialog.waitFor()
  await page.getByText('Actor is enforced by the server').waitFor()
  await dialog.getByRole('button', { name: 'Stop and switch' }).click()
  await page.getByRole('button', { name: 'Role: Tester. Switch role' }).waitFor()
  await page.getByText('Tester is enforced by the server').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Look')
  await page.keyboard.press('Enter')
  await page.getByText('Looked.', { exact: true }).waitFor()
  await page.locator('details > summary').nth(1).waitFor() // what is being said shows before what was done

  const lines = await page.locator('details > summary').allInnerTexts()
  assert.deepEqual(
    lines.map((line) => line.split('\n').slice(0, 2)),
    [
      ['Actor', 'Run'],
      ['Tester', 'Listed'],
    ],
  )
})

test('[P63] a switch that takes no right away waits, and until then the page names the role at work and the one to come', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Still thinking.', fail: 'hang' }])
  const page = await troupe.openChat('planner', 'Think')
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()

  await choose(page, 'Actor acts')
  await page.getByText('then Actor').waitFor()

  await page.getByRole('button', { name: 'Role: Planner. Switch role' }).waitFor()
  await page.getByText('Planner is enforced by the server').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByText('Actor is enforced by the server').waitFor()
})

test('[P64] a switch that a person took back leaves no refusal in the heading', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'I run it.', calls: [command] }])
  const page = await troupe.openChat('actor', 'Run it')
  await until(() => existsSync(join(troupe.workspace, 'begun.txt')))

  await choose(page, 'Planner reads')
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it running' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  assert.equal(await page.getByText(/is at work. Switching stops/).count(), 0)
})

test('[P65] in the text box Shift+Tab moves the focus back, as everywhere in a browser, and the role stays', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.openChat('planner')
  const box = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('button', { name: 'Role: Planner. Switch role' }).waitFor()

  await box.press('Shift+Tab')

  assert.equal(await box.evaluate((element) => element === document.activeElement), false)
  const [{ id }] = ((await troupe.ask('GET', '/api/chat/list')) as { chats: [ChatView] }).chats
  assert.equal(((await troupe.ask('GET', `/api/chat/show?chat=${id}`)) as ChatView).agent_role, 'planner')
})

for (const width of [320, 375, 768, 1280]) {
  test(`[P66] role and mode of a chat are in sight ${width} pixels wide, and the mode explains itself`, async (t) => {
    const troupe = await openTroupe(t, [])
    const chat = await troupe.newChat('planner')
    const page = await troupe.open(`/chat/${chat.id}`, { width, height: 667 })
    const mode = page.getByText(width < 768 ? 'Plan' : 'Plan mode', { exact: true })
    const role = page.getByText('Planner is enforced by the server')

    await mode.hover()
    await page.getByText('Plan mode: this role reads and plans. It changes nothing.').waitFor()

    for (const one of [mode, role]) {
      const box = (await one.boundingBox()) ?? assert.fail('it is not drawn')
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= 667, `it lies at ${box.x}, ${box.y}`)
      assert.equal(await one.evaluate(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth)), 0)
    }
  })
}

test('[P70] a Commander is told by what it may start, asks before it starts an Actor, and what that one did stands below the call', async (t) => {
  const order = { calls: [{ tool: 'delegate', input: { role: 'actor', task: 'Write a.txt' } }] }
  const troupe = await openTroupe(t, [
    order,
    { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'x' } }] },
    { text: 'Written.' },
    { text: 'All done.' },
  ])
  const page = await troupe.openChat('commander', 'Improve it')
  const card = page.getByRole('region', { name: 'Major question' })

  await page.getByText(/^May start: .*Actor/).waitFor()
  await card.getByRole('button', { name: /^Yes/ }).waitFor()
  const before = existsSync(join(troupe.workspace, 'a.txt'))
  const planMode = await page.getByText(/Plan mode|nothing is changed in this mode/).count()
  await card.getByRole('button', { name: /^Yes/ }).click()
  await page.getByText('All done.').waitFor()

  const work = page.getByRole('group', { name: 'What Actor did' })
  await work.getByRole('button', { name: 'Show what it did' }).click()
  await work.locator('summary').filter({ hasText: 'Created' }).waitFor()
  assert.deepEqual([before, planMode, existsSync(join(troupe.workspace, 'a.txt'))], [false, 0, true])
})
