import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ChatView } from '../../src/chat/show.ts'
import { openTroupe } from './open-troupe.ts'

const command = 'while [ ! -e go ]; do sleep 0.1; done'

test('[P46] what a person says while a command runs stands there as queued, can be taken back, and the model reads it next', async (t) => {
  const troupe = await openTroupe(t, [{ text: '', calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'Blue it is.' }])
  const page = await troupe.openChat('actor', 'Paint it')
  await page.getByRole('log').getByText('Running', { exact: true }).waitFor()
  const box = page.getByRole('textbox', { name: 'Message' })

  await box.fill('In red')
  await box.press('Enter')
  await page.getByText('Queued for the next turn').waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('In red').waitFor({ state: 'detached' })
  await box.fill('In blue')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Queued for the next turn').waitFor()
  await writeFile(join(troupe.workspace, 'go'), '')
  await page.getByText('Blue it is.').waitFor()

  await page.getByText('Queued for the next turn').waitFor({ state: 'detached' })
  const asked = JSON.stringify(troupe.model.requests[1]?.body)
  assert.ok(asked.includes('In blue') && !asked.includes('In red'))
})

test('[P46] what is typed while a message is on its way stays, and a second Enter sends neither before that one has arrived', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Painted.', repeat: true }])
  const chat = await troupe.newChat('actor')
  const page = await troupe.open(`/chat/${chat.id}`)
  const arrives = Promise.withResolvers<void>()
  await page.route('**/chat/send_message', async (route) => {
    await arrives.promise
    await route.continue()
  })
  const box = page.getByRole('textbox', { name: 'Message' })

  await box.fill('Paint it')
  await box.press('Enter')
  await page.getByRole('log').getByText('Paint it').waitFor()
  await box.fill('In blue')
  await box.press('Enter')
  const typed = await box.inputValue()
  arrives.resolve()
  await page.getByText('Painted.').waitFor()

  assert.deepEqual([typed, await box.inputValue(), troupe.model.requests.length], ['In blue', 'In blue', 1])
})

test('[P45] settings that were changed elsewhere while the form was open stay as they are', async (t) => {
  const troupe = await openTroupe(t, [])
  const chat = await troupe.newChat('actor')
  const page = await troupe.open(`/chat/${chat.id}`)
  await page.getByRole('button', { name: 'Chat settings' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Another title')

  await troupe.ask('POST', '/api/chat/configure', { chat: chat.id, limits: { max_tokens: 5_000 }, approvals: { delete_file: 'deny' } })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Another title' }).waitFor()

  const { config } = (await troupe.ask('GET', `/api/chat/show?chat=${chat.id}`)) as ChatView // what the contract says
  assert.deepEqual([config.limits.max_tokens, config.approvals], [5_000, { delete_file: 'deny' }])
})
