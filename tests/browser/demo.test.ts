import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ChatView } from '../../src/chat/show.ts'
import { each } from '../../src/domain/test-each.ts'
import { openTroupe } from './open-troupe.ts'

test('[P24] without a key a newcomer goes through plan, execute, question and done in the demo project, and all of it says rehearsal', async (t) => {
  const troupe = await openTroupe(t, null)
  const page = await troupe.open('/')
  await page.getByText('No model key is set, so a scripted stand-in plays the part.').waitFor()

  await page.getByRole('button', { name: 'Try it in the demo workspace' }).click()
  await page.getByRole('button', { name: 'Execute Plan' }).click()
  await page.getByRole('button', { name: /Yes, add the test/ }).click()
  await page.getByText('Rehearsal model: done.').waitFor()

  const id = new URL(page.url()).pathname.split('/').at(-1)
  const chat = (await troupe.ask('GET', `/api/chat/show?chat=${id}`)) as ChatView // what the contract says
  assert.match(await readFile(join(chat.workspace, 'src/parse-price.js'), 'utf8'), /replaceAll/)
  assert.match(await readFile(join(chat.workspace, 'src/parse-price.test.js'), 'utf8'), /two commas/)
  assert.deepEqual(commandOutcomes(chat), ['error', 'ok', 'ok'])
  assert.deepEqual(each(chat.step_progress, 'status'), ['done', 'done', 'done'])
  for (const text of repliesOf(chat)) assert.match(text, /^Rehearsal model: /)
})

function commandOutcomes(chat: ChatView): string[] {
  return chat.messages.flatMap((message) => (message.type === 'tool_result' && message.tool === 'execute_command' ? [message.outcome] : []))
}

function repliesOf(chat: ChatView): string[] {
  return chat.messages.flatMap((message) => (message.type === 'text' && message.from === 'assistant' ? [message.text] : []))
}
