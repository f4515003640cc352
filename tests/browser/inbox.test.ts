import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking } from '../replies.ts'
import { openTroupe } from './open-troupe.ts'
import { pageFaults } from './page-faults.ts'

test('[V27] what needs a person is answered in the list by keys alone, and a digit does nothing while its question is folded', async (t) => {
  const troupe = await openTroupe(t, [
    { text: JSON.stringify(asking('Which colour?', { blue: 'Blue', red: 'Red' })) },
    { text: 'Red it is.' },
  ])
  const chat = await troupe.newChat('actor', 'Paint it')
  const page = await troupe.open('/needs-you')
  const chats = page.getByRole('region', { name: 'Chats' })
  await chats.getByRole('link', { name: /Which colour\?/ }).waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await chats.getByRole('button', { name: 'Red' }).waitFor()
  const faults = await pageFaults(page)
  await page.keyboard.press('2')
  await page.getByText('Nothing waits for you').waitFor()

  const opened = await troupe.open(`/chat/${chat.id}`)
  await opened.getByText('Red it is.').waitFor()
  assert.deepEqual(faults, [])
})
