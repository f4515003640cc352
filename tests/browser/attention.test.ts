import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { asking } from '../replies.ts'
import { openTroupe } from './open-troupe.ts'

test('[P29] what needs a person is counted in the title bar, calls by a notification, and is found in one place', async (t) => {
  const troupe = await openTroupe(t, [{ text: JSON.stringify(asking('Which colour?', { blue: 'Blue' })) }, { text: 'Blue it is.' }])
  const chat = await troupe.newChat('actor')
  const page = await troupe.open('/roles')
  await lookAway(page)
  await page.getByRole('heading', { name: 'Roles' }).waitFor()

  await troupe.ask('POST', '/api/chat/send_message', { chat: chat.id, text: 'Paint it' })
  await titled(page, '(1) Roles · Troupe')
  await page.getByRole('link', { name: /Needs you/ }).click()
  await page.getByRole('link', { name: /Which colour\?/ }).click()
  await page.getByRole('button', { name: 'Blue' }).click()

  await titled(page, 'Paint it · Troupe')
  assert.deepEqual(await page.evaluate(() => Reflect.get(window, 'called')), ['Needs you: Which colour?'])
})

test('[P77] a chat whose turn failed is marked in the list and calls a person, until it goes on', async (t) => {
  const troupe = await openTroupe(t, [{ fail: 401, text: 'All is well.' }])
  const chat = await troupe.newChat('actor', 'Paint it')
  const page = await troupe.open('/needs-you')

  const need = page.getByRole('link', { name: /Paint it/ })
  await need.waitFor()
  await titled(page, '(1) Needs you · Troupe')
  await need.click()
  const listed = page.getByRole('link', { name: /Paint it/ })
  await listed.getByText('failed').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('All is well.').waitFor()

  await titled(page, 'Paint it · Troupe')
  assert.equal(new URL(page.url()).pathname, `/chat/${chat.id}`)
  assert.equal(await listed.getByText('failed').count(), 0)
})

test('[P30] tokens are shown for each message and of the limit of the chat; at the limit the next call waits for an answer', async (t) => {
  const spent = { usage: { input_tokens: 900, output_tokens: 200 } }
  const troupe = await openTroupe(t, [
    { text: 'I look.', calls: [{ tool: 'list_directory', input: {} }], ...spent },
    { text: 'Nothing is there.', ...spent },
  ])
  const page = await troupe.openChat('actor')

  await page.getByRole('button', { name: 'Chat settings' }).click()
  await page.getByLabel('Token limit for this chat').fill('1000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Look around')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  const card = page.getByRole('region', { name: 'Major question' })
  await card.getByText('This chat has used 1,100 of 1,000 tokens. Continue?').waitFor()
  assert.equal(troupe.model.requests.length, 1)
  await page.getByText('1,100 of 1,000 tokens', { exact: true }).waitFor()
  await page.getByRole('log').getByText('1,100 tokens').waitFor()
  await page.reload()
  await card.getByRole('button', { name: 'Continue, up to 2,200 tokens' }).click()

  await page.getByText('Nothing is there.').waitFor()
  await page.getByText('2,200 of 2,200 tokens', { exact: true }).waitFor()
})

test('[P31] earlier messages come in above what is being read, without a jump', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'A short answer.', repeat: true }])
  const chat = await troupe.newChat('actor')
  await troupe.converse(chat.id, 110)
  const page = await troupe.open(`/chat/${chat.id}`)
  const messages = page.getByRole('log')
  await messages.getByText('Message 109').waitFor()
  await page.getByRole('button', { name: 'Show earlier messages' }).scrollIntoViewIfNeeded()
  const before = await topOf(page, 'Message 11')

  await page.getByRole('button', { name: 'Show earlier messages' }).click()
  await messages.getByText('Message 0', { exact: true }).waitFor({ state: 'attached' })

  let moved = Infinity
  for (let looked = 0; looked < 100 && moved >= 60; looked++) {
    moved = Math.abs((await topOf(page, 'Message 11')) - before)
    await sleep(50) // heights settle over the next frames
  }
  assert.ok(moved < 60, `what was being read moved by ${moved} px`)
})

/** A browser in a test always has the focus; this page believes it has not, and writes down what it would have shown. */
async function lookAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    const called: string[] = []
    Reflect.set(window, 'called', called)
    document.hasFocus = () => false
    class Shown extends EventTarget {
      static readonly permission = 'granted'
      constructor(title: string) {
        super()
        called.push(title)
      }
    }
    Reflect.set(window, 'Notification', Shown)
  })
}

async function titled(page: Page, title: string): Promise<void> {
  await page.waitForFunction((wanted) => document.title === wanted, title)
}

async function topOf(page: Page, text: string): Promise<number> {
  return (await page.getByText(text, { exact: true }).boundingBox())?.y ?? Number.NaN
}
