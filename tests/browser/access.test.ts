import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainStates, reach } from './main-states.ts'
import { openTroupe } from './open-troupe.ts'
import { pageFaults } from './page-faults.ts'

for (const state of mainStates) {
  test(`[P32] the state ${state.name} is without a fault that axe finds, in daylight and in the dark`, async (t) => {
    const troupe = await openTroupe(t, state.replies)
    const path = await reach(troupe, state)
    const page = await troupe.open(path)
    await state.act?.(page)
    await state.see(page)
    const dark = await troupe.open(path, { theme: 'dark' })
    await state.see(dark)

    const found = { light: await pageFaults(page), dark: await pageFaults(dark) }

    assert.deepEqual(found, { light: [], dark: [] })
  })
}

test('[P32] at the width of a phone the plan is without a fault, too', async (t) => {
  const state = mainStates.find(({ name }) => name === 'plan')
  assert.ok(state)
  const troupe = await openTroupe(t, state.replies)
  const page = await troupe.open(await reach(troupe, state), { width: 375, height: 667 })
  await state.see(page)

  assert.deepEqual(await pageFaults(page), [])
})

test('[P32] the places that are lists are without a fault and fit a phone', async (t) => {
  const troupe = await openTroupe(t, [])
  const faults: string[] = []

  for (const path of ['/roles', '/needs-you', '/workflows', '/nowhere']) {
    const page = await troupe.open(path, { width: 375, height: 667 })
    await page.getByRole('heading', { level: 1 }).waitFor()
    faults.push(...(await pageFaults(page)).map((fault) => `${path}: ${fault}`))
  }

  assert.deepEqual(faults, [])
})
