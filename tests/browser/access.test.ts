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

test('[P32] every place is without a fault and fits a phone, in a rehearsal and before anything is there', async (t) => {
  const troupe = await openTroupe(t, null)
  const faults: string[] = []

  for (const path of ['/chat', '/board', '/jobs', '/workflows', '/roles', '/needs-you', '/nowhere']) {
    const page = await troupe.open(path, { width: 375, height: 667 })
    await page.getByRole('heading', { level: 1 }).waitFor()
    faults.push(...(await pageFaults(page)).map((fault) => `${path}: ${fault}`))
  }

  assert.deepEqual(faults, [])
})
