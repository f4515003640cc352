import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'
import { stickingOut } from './page-faults.ts'

const replies = [
  { text: '', calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'Good day\n' } }] },
  { text: 'It is written.' },
]

test('[U2, U4] the page shows what a turn changed and undoes it, and asks where a person changed a file since', async (t) => {
  const troupe = await openTroupe(t, replies)
  const page = await troupe.openChat('actor')
  await page.setViewportSize({ width: 375, height: 667 })
  const file = join(troupe.workspace, 'greeting.txt')
  await page.getByRole('textbox', { name: 'Message' }).fill('Write a greeting')
  await page.keyboard.press('Enter')
  await page.getByText('It is written.').waitFor()

  await page.getByRole('button', { name: 'Changes' }).click()
  await page.getByRole('dialog').getByText('Good day').first().waitFor()
  const sticking = await stickingOut(page)
  await page.keyboard.press('Escape')
  writeFileSync(file, 'Mine\n')
  await page.getByRole('button', { name: 'Revert this turn' }).click()
  await page.getByRole('button', { name: 'Revert anyway' }).click()
  await page.getByText('You undid changes').waitFor()
  await page.getByRole('button', { name: 'Revert this turn' }).waitFor({ state: 'detached' })

  assert.deepEqual(sticking, [])
  assert.equal(existsSync(file), false)
})
