import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking } from '../replies.ts'
import { openTroupe } from './open-troupe.ts'

test('[P71] what is said while the server is away comes back at once with the reason, and goes out when it is there again', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello again.' }])
  const page = await troupe.openChat('actor')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Are you there?')
  await troupe.kill()

  await box.press('Enter')
  await page.getByRole('alert').getByText('Troupe does not answer').waitFor()
  const kept = await box.inputValue()
  await troupe.start()
  await page.getByRole('button', { name: 'Send' }).click()

  await page.getByText('Hello again.').waitFor()
  assert.equal(kept, 'Are you there?')
})

test('[P71] an answer that is given while the server is away says why it failed, and its button can be pressed again', async (t) => {
  const question = asking('In capitals?', { yes: 'In capitals', no: 'As it is' })
  const troupe = await openTroupe(t, [{ text: JSON.stringify(question) }, { text: 'Done in capitals.' }])
  const page = await troupe.openChat('actor', 'Greet')
  const option = page.getByRole('button', { name: 'In capitals' })
  await option.waitFor()
  await troupe.kill()

  await option.click()
  await page.getByRole('alert').getByText('Troupe does not answer').waitFor()
  assert.equal(await option.isEnabled(), true)
  await troupe.start()
  await option.click()

  await page.getByText('Done in capitals.').waitFor()
})
