import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { processesWith } from '../../src/sandbox/test-processes.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { chats } from '../../src/store/tables.ts'
import { openTroupe } from './open-troupe.ts'

const command = { tool: 'execute_command', input: { command: 'echo begun > begun.txt; sleep 600; echo late > late.txt' } }

test('[P20] switching away while a command runs asks first, says what stops, and then ends the command', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'I run it.', calls: [command] }])
  const page = await troupe.openChat('actor', 'Run it')
  await until(() => existsSync(join(troupe.workspace, 'begun.txt')))

  await page.getByRole('button', { name: 'Role: Actor. Switch role' }).click()
  await page.getByRole('menuitem', { name: 'Planner reads' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop the work in progress?' })
  await dialog.getByText(/The Actor is at work. Switching stops the turn, its processes and its open approvals/).waitFor()
  await dialog.getByText(/^execute_command /).waitFor()
  await dialog.getByRole('button', { name: 'Keep it running' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Role: Actor. Switch role' }).click()
  await page.getByRole('menuitem', { name: 'Planner reads' }).click()
  await dialog.getByRole('button', { name: 'Stop and switch' }).click()

  await page.getByRole('button', { name: 'Role: Planner. Switch role' }).waitFor()
  await page.getByText('Plan mode', { exact: true }).waitFor()
  await page.getByLabel('interrupted', { exact: true }).waitFor()
  await until(async () => (await processesWith('sleep 600; echo late')).length === 0)
  assert.deepEqual(await readdir(troupe.workspace), ['begun.txt'])
})

test('[P49] the role at the top explains itself and what it may do, by the pointer and by the keyboard', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.openChat('planner')
  const badge = page.getByRole('button', { name: 'Role: Planner. Switch role' })
  const explained = page.getByText('May not change files, create files, delete files, run commands.')

  await badge.hover()
  await explained.waitFor()
  await page.mouse.move(0, 400)
  await explained.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Chat settings' }).focus()
  await page.keyboard.press('Tab')
  await page.getByText('Plan mode: this role reads and plans. It changes nothing.').waitFor()
  await page.keyboard.press('Tab')

  await explained.waitFor()
})

test('[P49] before the page knows the roles it names none, and no mode that might be wrong', async (t) => {
  const troupe = await openTroupe(t, [])
  const chat = await troupe.newChat('actor')
  const page = await troupe.open('/needs-you')
  const known = Promise.withResolvers<void>()
  await page.route('**/api/role/list', async (route) => {
    await known.promise
    await route.continue()
  })

  await page.goto(new URL(`/chat/${chat.id}`, page.url()).href)
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  const unsaid = [page.getByText('Plan mode'), page.getByRole('button', { name: 'Switch role' })]
  const shown = await Promise.all(unsaid.map((saying) => saying.count()))
  known.resolve()

  await page.getByText('Act mode', { exact: true }).waitFor()
  assert.deepEqual(shown, [0, 0])
})

test('[P21] two windows on one chat stay in step', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello from the model.' }])
  const chat = await troupe.newChat('actor')
  const [one, other] = [await troupe.open(`/chat/${chat.id}`), await troupe.open(`/chat/${chat.id}`)]
  await other.getByText('Say what you want done').waitFor()

  await one.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await one.keyboard.press('Enter')
  await other.getByText('Hello from the model.').waitFor()
  await one.keyboard.press('Control+.')
  await one.getByRole('menuitem', { name: 'Planner reads' }).click()

  await other.getByRole('button', { name: 'Role: Planner. Switch role' }).waitFor()
  assert.equal(await other.getByText('Hello from the model.').count(), 1)
})

test('[R23] a chat with a role nobody knows opens, warns, and only reads', async (t) => {
  const write = { tool: 'create_file', input: { path: 'a.txt', content: 'x' } }
  const troupe = await openTroupe(t, [{ text: '', calls: [write] }, { text: 'I may not write.' }])
  const chat = await troupe.newChat('actor')
  const driver = await troupe.openStore()
  const was = await chats.get(driver, chat.id)
  await chats.replace(driver, was, { ...was.item, config: { ...was.item.config, agent_role: 'wizard' } })
  const page = await troupe.open(`/chat/${chat.id}`)

  await page
    .getByRole('alert')
    .getByText(/wizard.*may only read/)
    .waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Write a file')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('I may not write.').waitFor()

  await page.getByLabel('denied', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Role: wizard. Switch role' }).waitFor()
  const { config } = (await chats.get(driver, chat.id)).item
  assert.deepEqual([config.agent_role, await readdir(troupe.workspace)], ['wizard', []])
})
