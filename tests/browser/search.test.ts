import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
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
