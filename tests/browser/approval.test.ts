import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'

test('[P28] deleting a file asks with the exact call and its diff; a refusal with its reason reaches the model, a yes deletes', async (t) => {
  const remove = { tool: 'delete_file', input: { path: 'old.txt' } }
  const troupe = await openTroupe(t, [
    { text: 'It is not used.', calls: [remove] },
    { text: 'Then it stays. May I ask again?', calls: [remove] },
    { text: 'It is gone.' },
  ])
  await troupe.write('project/old.txt', 'the only line\n')
  const page = await troupe.openChat('actor', 'Tidy up')
  const card = page.getByRole('region', { name: 'Major question' })

  await card.getByText('Delete old.txt?').waitFor()
  await card.getByText('the only line').waitFor()
  await card.getByLabel('Or in your own words').fill('We still need it')
  await card.getByRole('button', { name: /^No/ }).click()
  await page.getByText('Then it stays.').waitFor()
  assert.deepEqual(await readdir(troupe.workspace), ['old.txt'])
  await card
    .last()
    .getByRole('button', { name: /^Yes, do it/ })
    .click()
  await page.getByText('It is gone.').waitFor()

  assert.match(JSON.stringify(troupe.model.requests[1]?.body), /the user refused this call: We still need it/)
  assert.deepEqual(await readdir(troupe.workspace), [])
})

test('[P28] a tool that a person set to ask asks first, with the change it would make', async (t) => {
  const change = { tool: 'update_file', input: { path: 'a.txt', old_text: 'one', new_text: 'two' } }
  const troupe = await openTroupe(t, [{ text: '', calls: [change] }, { text: 'Changed.' }])
  await troupe.write('project/a.txt', 'one\n')
  const page = await troupe.openChat('actor')

  await page.getByRole('button', { name: 'Chat settings' }).click()
  await page.getByLabel('update_file').selectOption('ask')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Change it')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  const card = page.getByRole('region', { name: 'Major question' })
  await card.getByText('one', { exact: true }).waitFor()
  await card.getByText('two', { exact: true }).waitFor()
  await card.getByRole('button', { name: /^Yes, do it/ }).click()

  await page.getByText('Changed.').waitFor()
})

test('[P110] a command is allowed from now on with its answer, runs unasked the next time, and is taken back in the settings', async (t) => {
  const list = { tool: 'execute_command', input: { command: 'echo one' } }
  const troupe = await openTroupe(t, [
    { text: '', calls: [list] },
    { text: 'Once.', calls: [{ ...list, input: { command: 'echo two' } }] },
    { text: 'Twice.' },
    { text: '', calls: [list] },
  ])
  const page = await troupe.openChat('actor')
  const settings = page.getByRole('button', { name: 'Chat settings' })
  const message = page.getByRole('textbox', { name: 'Message' })
  const card = page.getByRole('region', { name: 'Major question' })
  await settings.click()
  await page.getByLabel('execute_command').selectOption('ask')
  await page.getByRole('button', { name: 'Save' }).click()

  await message.fill('Say it')
  await message.press('Enter')
  await card.getByText('echo *').first().waitFor()
  await card.getByRole('button', { name: /from now on in this chat/ }).click()
  await page.getByText('Twice.').waitFor()
  await settings.click()
  await page.getByRole('button', { name: 'Ask about echo * again' }).click()
  await page.getByRole('button', { name: 'Ask about echo * again' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await message.fill('Again')
  await message.press('Enter')

  await card
    .last()
    .getByRole('button', { name: /^Yes, do it/ })
    .waitFor()
})
