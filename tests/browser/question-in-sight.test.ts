import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { asking, planned, replyWith } from '../replies.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { openTroupe } from './open-troupe.ts'

const prose = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} about the table and its rows.`).join('\n\n')
const question = asking('Drop the old table?', { drop: 'Drop it', keep: 'Keep it' }, 'critical')

test('[P74] whoever reads along sees a question when it comes, with the note and the plan that come with it', async (t) => {
  const troupe = await openTroupe(
    t,
    [
      { text: replyWith(prose, planned('Drop the table', ['Look at it', 'Drop it'])) },
      { text: `[step 1 active]\n\n${prose}`, calls: [{ tool: 'list_directory', input: {} }] },
      { text: replyWith(prose, question) },
      { text: 'It stays.' },
    ],
    { pace_ms: 5 },
  )
  const { id } = await troupe.newChat('planner', 'Tidy up')
  const page = await troupe.open(`/chat/${id}`, { width: 1280, height: 600 })
  const card = page.getByRole('region', { name: 'Critical question' })

  await page.getByRole('button', { name: 'Execute Plan' }).click()
  await card.getByRole('button', { name: 'Keep it' }).waitFor()

  await untilInSight(page, card.getByRole('button', { name: 'Keep it' }))
  assert.equal(await page.getByRole('button', { name: 'Jump to question' }).count(), 0)
})

test('[P74] a text box that grows, and content that grows before the scroll it caused is told, do not end the reading along', async (t) => {
  const troupe = await openTroupe(t, [{ text: replyWith(prose, question) }])
  const page = await troupe.openChat('actor', 'Tidy up')
  const card = page.getByRole('region', { name: 'Critical question' })
  await untilInSight(page, card.getByRole('button', { name: 'Keep it' }))

  await page.getByRole('textbox', { name: 'Message' }).fill('one\ntwo\nthree\nfour\nfive\nsix\nseven\neight')
  await untilAtEnd(page)
  await page.getByRole('log').evaluate((box) => {
    const more = document.createElement('div')
    more.style.height = '400px'
    box.firstElementChild?.append(more)
    box.dispatchEvent(new Event('scroll')) // as one that was under way when the card came
  })

  await untilAtEnd(page)
})

test('[P74] a question out of sight calls the reader: what they read stays, and the button leads to the card', async (t) => {
  const gate = Promise.withResolvers<void>()
  const troupe = await openTroupe(t, [
    { text: prose },
    async () => {
      await gate.promise
      return { text: replyWith(prose, question) }
    },
    { text: 'It stays.' },
  ])
  const { id } = await troupe.newChat('actor', 'Look around')
  const page = await troupe.open(`/chat/${id}`, { width: 1280, height: 600 })
  const log = page.getByRole('log')
  await log.getByText('Paragraph 29').waitFor()
  await troupe.ask('POST', '/api/chat/send_message', { chat: id, text: 'Tidy up' })
  await log.getByText('Tidy up').waitFor()
  await log.evaluate((box) => (box.scrollTop = 0))
  const first = log.getByText('Paragraph 0 ').first()
  await until(async () => ((await first.boundingBox())?.height ?? 0) < 100) // until Markdown is drawn, all of it is one paragraph
  const before = await first.boundingBox()
  gate.resolve()

  const jump = page.getByRole('button', { name: 'Jump to question' })
  await jump.waitFor()
  const after = await first.boundingBox()
  await jump.click()
  const card = page.getByRole('region', { name: 'Critical question' })
  await untilInSight(page, card)
  await jump.waitFor({ state: 'detached' })
  await log.evaluate((box) => (box.scrollTop = 0))
  await jump.press('Enter')
  await card.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await log.getByText('It stays.').waitFor()
  await jump.waitFor({ state: 'detached' })
  assert.deepEqual(after, before)
})

test('[P74] a call that waits for leave calls in the same way, on a phone too', async (t) => {
  const troupe = await openTroupe(t, [{ text: prose, calls: [{ tool: 'delete_file', input: { path: 'old.txt' } }] }])
  await troupe.write('project/old.txt', 'the only line\n')
  const { id } = await troupe.newChat('actor', 'Tidy up')
  const page = await troupe.open(`/chat/${id}`, { width: 375, height: 667 })
  const card = page.getByRole('region', { name: 'Major question' })
  await untilInSight(page, card.getByRole('button', { name: /^No/ }))

  await page.getByRole('log').evaluate((box) => (box.scrollTop = 0))
  await page.getByRole('button', { name: 'Jump to question' }).click()

  await untilInSight(page, card.getByRole('button', { name: /^No/ }))
})

/** Waits until all of it is within the messages that are shown; what never does ends the test by its time limit. */
async function untilInSight(page: Page, one: Locator): Promise<void> {
  await one.waitFor()
  const handle = await one.elementHandle()
  await page.waitForFunction((element) => {
    const box = element?.closest('[role=log]')?.getBoundingClientRect()
    const own = element?.getBoundingClientRect()
    return box !== undefined && own !== undefined && own.top >= box.top && own.bottom <= box.bottom
  }, handle)
}

async function untilAtEnd(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const box = document.querySelector('[role=log]')
    return box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < 2
  })
}
