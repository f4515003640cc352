import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'

const HOUR_MS = 3_600_000

test('[A164] [A165] the page says that a limit is reached, still after a kill, and one button tries again now', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Done at last.', fail: 429, times: 1, said: 'weekly limit', retry_after_ms: 2 * HOUR_MS }])
  const page = await troupe.openChat('actor', 'Tidy the database')
  const banner = page.getByRole('complementary', { name: /^Limit of / })
  await banner.getByText('1 run waiting').waitFor()
  assert.equal(troupe.model.requests.length, 1)

  await troupe.kill()
  await troupe.start()
  await page.reload()
  await page.getByText('it goes on by itself').waitFor()
  await banner.getByText('1 run waiting').waitFor()
  assert.equal(troupe.model.requests.length, 1)
  await banner.getByRole('button', { name: 'Try again now' }).click()

  await page.getByText('Done at last.').waitFor()
  await banner.waitFor({ state: 'detached' })
})
