import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'

const command = 'while [ ! -e go ]; do sleep 0.1; done'

test('[P46] what a person says while a command runs stands there as queued, can be taken back, and the model reads it next', async (t) => {
  const troupe = await openTroupe(t, [{ text: '', calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'Blue it is.' }])
  const chat = await troupe.newChat('actor', 'Paint it')
  const page = await troupe.open(`/chat/${chat.id}`)
  await page.getByText('running', { exact: true }).waitFor()
  const box = page.getByRole('textbox', { name: 'Message' })

  await box.fill('In red')
  await box.press('Enter')
  await page.getByText('Queued: read with the next turn').waitFor()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('In red').waitFor({ state: 'detached' })
  await box.fill('In blue')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Queued: read with the next turn').waitFor()
  await writeFile(join(troupe.workspace, 'go'), '')
  await page.getByText('Blue it is.').waitFor()

  await page.getByText('Queued: read with the next turn').waitFor({ state: 'detached' })
  const asked = JSON.stringify(troupe.model.requests[1]?.body)
  assert.ok(asked.includes('In blue') && !asked.includes('In red'))
})
