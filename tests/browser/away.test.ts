import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatView } from '../../src/chat/show.ts'
import { asking } from '../replies.ts'
import { openTroupe } from './open-troupe.ts'

test('[P71] what is said while the server is away stands there as not sent, outlives a reload, and is said once when it is sent again', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello again.', repeat: true }])
  const page = await troupe.openChat('actor')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Are you there?')
  await troupe.kill()

  await box.press('Enter')
  await page.getByRole('alert').getByText('Not sent').waitFor()
  assert.equal(await box.inputValue(), '')
  await troupe.start()
  await page.reload()
  await page.getByRole('log').getByText('Are you there?').waitFor()
  await page.getByRole('button', { name: 'Retry' }).dblclick()
  await page.getByText('Hello again.').waitFor()

  await page.getByText('Not sent').waitFor({ state: 'detached' })
  assert.equal(await page.getByText('Are you there?').and(page.locator('p')).count(), 1)
  assert.equal(troupe.model.requests.length, 1)
})

test('[P71] a message whose answer was lost is not said twice, be it sent again by hand or found in the chat', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Hello.', repeat: true }])
  const chat = await troupe.newChat('actor')
  const page = await troupe.open(`/chat/${chat.id}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.waitFor()
  await page.route('**/api/chat/send_message', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.route('**/api/chat/show', (route) => route.abort())

  await box.fill('Are you there?')
  await box.press('Enter')
  await page.getByRole('alert').getByText('Not sent').waitFor()
  await page.unroute('**/api/chat/send_message')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.unroute('**/api/chat/show')
  await page.getByText('Hello.').waitFor()
  await page.route('**/api/chat/send_message', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await box.fill('Still there?')
  await box.press('Enter')
  await page.getByText('Hello.').nth(1).waitFor()

  await page.getByText('Not sent').waitFor({ state: 'detached' })
  const { messages } = (await troupe.ask('GET', `/api/chat/show?chat=${chat.id}`)) as ChatView // what the contract says
  const said = ['Are you there?', 'Hello.', 'Still there?', 'Hello.']
  assert.deepEqual(
    messages.map((message) => 'text' in message && message.text),
    said,
  )
  assert.equal(await page.locator('[data-message]').count(), said.length)
})

test('[P71] what was not sent can be changed or discarded, and says why it was refused', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Painted.' }])
  const page = await troupe.openChat('actor')
  const box = page.getByRole('textbox', { name: 'Message' })
  await page.route('**/api/chat/send_message', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'the role was switched' } } }),
  )
  const refused = async (text: string) => {
    await box.fill(text)
    await box.press('Enter')
    await page.getByRole('alert').getByText('Not sent: the role was switched').waitFor()
  }

  await refused('In red')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('In red').waitFor({ state: 'detached' })
  await refused('In blew')
  await box.fill('and soon')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  assert.equal(await box.inputValue(), 'In blew\nand soon')
  await page.unroute('**/api/chat/send_message')
  await box.fill('In blue')
  await box.press('Enter')

  await page.getByText('Painted.').waitFor()
  assert.doesNotMatch(JSON.stringify(troupe.model.requests[0]?.body), /In red|In blew/)
})

test('[P75] what is half written outlives a visit to another screen and a reload, each chat with its own', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Painted.' }])
  const [one, other] = [await troupe.newChat('actor'), await troupe.newChat('actor')]
  const page = await troupe.open(`/chat/${one.id}`)
  const box = page.getByRole('textbox', { name: 'Message' })
  const wish = page.getByLabel('What do you want done?')

  await box.fill('half a message')
  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('heading', { name: 'Roles' }).waitFor()
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await wish.fill('half a wish')
  await page.locator(`a[href="/chat/${other.id}"]`).click()
  await box.waitFor()
  const inOther = await box.inputValue()
  await page.locator(`a[href="/chat/${one.id}"]`).click()
  await page.reload()
  await box.waitFor()
  const inOne = await box.inputValue()
  await page.getByRole('link', { name: 'New chat' }).first().click()
  await wish.waitFor()

  assert.deepEqual([inOne, inOther, await wish.inputValue()], ['half a message', '', 'half a wish'])
})

test('[P71] an answer that is given while the server is away says why it failed, and its button can be pressed again', async (t) => {
  const question = asking('In capitals?', { yes: 'In capitals', no: 'As it is' })
  const troupe = await openTroupe(t, [{ text: JSON.stringify(question) }, { text: 'Done in capitals.' }])
  const page = await troupe.openChat('actor', 'Greet')
  const option = page.getByRole('button', { name: 'In capitals' })
  await option.waitFor()
  await troupe.kill()

  await option.click()
  await page.getByRole('alert').getByText('Troupe is not responding').waitFor()
  assert.equal(await option.isEnabled(), true)
  await troupe.start()
  await option.click()

  await page.getByText('Done in capitals.').waitFor()
})
