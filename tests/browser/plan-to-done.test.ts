import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { asking, planned, replyWith } from '../replies.ts'

const question = { ...asking('Also greet in capitals?', { capitals: 'Yes, capitals', plain: 'No' }, 'major'), default: 'plain' }

test('[P19] plan, feedback, second version with its changes, execute, question, answer, done: in a browser, with the file on disk', async (t) => {
  const troupe = await openTroupe(t, [
    { text: replyWith('I looked at the folder.', planned('Write a greeting', ['Create greeting.txt'])) },
    { text: replyWith('With a check, then.', planned('Write a greeting', ['Create greeting.txt', 'Read it back'])) },
    { text: JSON.stringify(question) },
    { text: '[step 1 active]', calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'HELLO\n' } }] },
    { text: '[step 1 done]\n[step 2 active]', calls: [{ tool: 'read_file', input: { path: 'greeting.txt' } }] },
    { text: '[step 2 done]\nThe greeting is written.' },
  ])
  const page = await troupe.open('/chat/new')

  await page.getByLabel('What do you want done?').fill('Write a greeting')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('region', { name: 'Plan, version 1' }).getByText('Create greeting.txt').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Check it afterwards, too')
  await page.getByRole('button', { name: 'Send' }).click()
  const second = page.getByRole('region', { name: 'Plan, version 2' })
  await second.getByRole('button', { name: 'What changed since version 1' }).click()
  await second.getByText('added: Step: Read it back').waitFor()
  await second.getByRole('button', { name: 'Execute Plan' }).click()
  const card = page.getByRole('region', { name: 'Major question' })
  await card.getByRole('button', { name: /Yes, capitals/ }).click()
  await page.getByText('The greeting is written.').waitFor()

  await card.getByText('Answered by user:').waitFor()
  await page.getByLabel('2 of 2 steps done').waitFor()
  await page.getByRole('button', { name: 'Role: Actor. Switch role' }).waitFor()
  assert.equal(await readFile(join(troupe.workspace, 'greeting.txt'), 'utf8'), 'HELLO\n')
  assert.match(JSON.stringify(troupe.model.requests[3]?.body), /Yes, capitals \(value: capitals\)/)
})
