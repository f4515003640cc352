import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook } from './page-faults.ts'
import { plan, setBoard } from './set-board.ts'

test('[P50] the palette finds a task of a board by its id or its words, and opens it', async (t) => {
  const troupe = await openTroupe(t, [])
  const board = await setBoard(troupe)
  await plan(board, { id: 'etag', description: 'Answer an unchanged list with 304' })
  const page = await troupe.open('/chat')

  await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Search' }).click()
  const box = page.getByRole('combobox', { name: 'Search and commands' })
  await box.fill('unchanged list')
  await page.getByRole('option', { name: /304/ }).waitFor()
  await box.fill('etag')
  await page.getByRole('option', { name: /etag/ }).click()

  await page.waitForURL(`**/board/${board.board_id}/task/etag`)
})

test('[P16] chats are found by words that were said in them, and by no others', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'The 100% right answer is a quagga.', repeat: true }])
  const chat = await troupe.newChat('actor', 'Which animal?')
  const page = await troupe.open(`/chat/${chat.id}`)
  await page.getByRole('log').getByText('quagga').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search chats' })
  const listed = page.getByRole('link', { name: /Which animal/ })

  await search.fill('answer Quagga')
  await listed.waitFor()
  await search.fill('100% animal')
  await listed.waitFor()
  await search.fill('100_')
  await page.getByText('No chats match your search.').waitFor()

  assert.equal(await listed.count(), 0)
})

test('[V69] the palette finds what was said in a chat that is called something else, shows it with its words, and opens it', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Long ago the quagga lived in the south.', repeat: true }])
  const chat = await troupe.newChat('actor', 'Which animal?')
  const page = await troupe.open(`/chat/${chat.id}`)
  await page.getByRole('log').getByText('quagga').waitFor()
  await page.getByRole('link', { name: 'Roles' }).first().click()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('quag lived')
  const found = page.getByRole('option', { name: /Which animal/ })
  await found.getByText('Long ago the quagga lived in the south.').waitFor()
  const faults = await faultsInEveryLook(page)
  await page.keyboard.press('Enter')

  await page.waitForURL(`**/chat/${chat.id}`)
  assert.deepEqual(faults, [])
})
