import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { perform } from '../../src/domain/operation.ts'
import { addTask } from '../../src/board/task/add.ts'
import { ann } from '../../src/board/test-board.ts'
import { openTroupe } from './open-troupe.ts'
import { setBoard } from './set-board.ts'

const MANY = 300

test('[B140] a column of hundreds shows its first cards, more when asked, keeps what is read in place, and hides no other column', async (t) => {
  const troupe = await openTroupe(t, [])
  const desk = await setBoard(troupe)
  await desk.driver.transaction(async (driver) => {
    for (let at = 1; at <= MANY; at++) await perform(addTask, { ...desk, driver, actor: ann }, { description: `Write page ${at}` })
  })
  const page = await troupe.open('/board')
  const column = page.getByRole('region', { name: /^Draft, / })
  const cards = column.getByRole('listitem')
  await column.getByRole('button', { name: 'Show more (280 left)' }).waitFor()
  const first = await cards.count()

  await column.getByRole('button', { name: 'Show more (280 left)' }).click()
  await column.getByRole('button', { name: 'Show more (180 left)' }).click()
  await column.getByRole('button', { name: 'Show more (80 left)' }).waitFor()
  const read = column.getByRole('link', { name: 'Write page 150', exact: true })
  await read.scrollIntoViewIfNeeded()
  await settled(page)
  const before = await read.boundingBox()
  await perform(addTask, { ...desk, actor: ann }, { description: 'One more at the end' })
  await page.getByRole('region', { name: `Draft, ${MANY + 1}` }).waitFor()
  const after = await read.boundingBox()

  assert.deepEqual([first, await cards.count()], [20, 220])
  assert.ok(before !== null && after !== null && Math.abs(before.y - after.y) <= 2, `${before?.y} became ${after?.y}`)
  assert.ok(await page.getByRole('heading', { name: /^Merged/ }).isVisible())
})

/** Cards are laid out when they come into sight; two frames later nothing moves any more. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}
