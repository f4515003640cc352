import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { setBoard } from './set-board.ts'

test('[P56] a tab has an address: it outlives a reload, and Back and Forward go through the tabs', async (t) => {
  const troupe = await openTroupe(t, [])
  const { board_id } = await setBoard(troupe)
  const page = await troupe.open(`/board/${board_id}`)
  const shown = (name: string) => page.getByRole('tab', { name, selected: true }).waitFor()

  await page.getByRole('tab', { name: 'Sprint' }).click()
  await page.waitForURL(`**/board/${board_id}?tab=sprint`)
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.reload()
  await shown('Log')
  await page.goBack()
  await shown('Sprint')
  await page.goBack()
  await shown('Tasks')
  await page.goForward()

  await shown('Sprint')
  assert.equal(await page.title(), 'Page every list of the API by 50, with a cursor · Troupe')
})

test('[P56] what is asked about a role stands in the address, and opens with its answer elsewhere', async (t) => {
  const troupe = await openTroupe(t, [])
  const page = await troupe.open('/roles')

  await page.getByRole('region', { name: 'Permissions of each role' }).getByRole('link', { name: 'Tester' }).click()
  await page.getByLabel('Tool').selectOption('create_file')
  await page.getByLabel('Arguments (JSON)').fill('{"path": "a.txt", "content": ""}')
  await page.getByLabel('Arguments (JSON)').blur()
  await page.waitForURL('**/roles/tester?*a.txt*')
  const { pathname, search } = new URL(page.url())
  const elsewhere = await troupe.open(pathname + search)

  await elsewhere.getByText('Tester may not call create_file').waitFor()
  assert.equal(await elsewhere.getByLabel('Arguments (JSON)').inputValue(), '{"path": "a.txt", "content": ""}')
})
