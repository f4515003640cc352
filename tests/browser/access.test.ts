import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainStates, reach } from './main-states.ts'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook, pageFaults } from './page-faults.ts'

for (const state of mainStates) {
  test(`[P32] the state ${state.name} is without a fault that axe finds, by day, by night and on a phone, where nothing sticks out`, async (t) => {
    const troupe = await openTroupe(t, state.replies)
    const page = await troupe.open(await reach(troupe, state))
    await state.act?.(page)
    await state.see(page)

    assert.deepEqual(await faultsInEveryLook(page), [])
  })
}

test('[P32] every place is without a fault and fits a phone, in a rehearsal and before anything is there', async (t) => {
  const troupe = await openTroupe(t, null)
  const faults: string[] = []

  for (const path of ['/chat', '/board', '/jobs', '/workflows', '/roles', '/mcp-servers', '/needs-you', '/nowhere']) {
    const page = await troupe.open(path, { width: 375, height: 667 })
    await page.getByRole('heading', { level: 1 }).waitFor()
    faults.push(...(await pageFaults(page)).map((fault) => `${path}: ${fault}`))
  }

  assert.deepEqual(faults, [])
})
