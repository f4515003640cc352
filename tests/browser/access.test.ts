import assert from 'node:assert/strict'
import { test } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { mainStates, reach } from './main-states.ts'
import { openTroupe } from './open-troupe.ts'

for (const state of mainStates) {
  test(`[P32] the state ${state.name} has no serious finding of axe, in daylight and in the dark`, async (t) => {
    const troupe = await openTroupe(t, state.replies)
    const path = await reach(troupe, state)
    const page = await troupe.open(path)
    await state.act?.(page)
    await state.see(page)
    const dark = await troupe.open(path, { theme: 'dark' })
    await state.see(dark)

    const found = { light: await seriousFindings(page), dark: await seriousFindings(dark) }

    assert.deepEqual(found, { light: [], dark: [] })
  })
}

test('[P32] at the width of a phone the plan has no serious finding either', async (t) => {
  const state = mainStates.find(({ name }) => name === 'plan')
  assert.ok(state)
  const troupe = await openTroupe(t, state.replies)
  const page = await troupe.open(await reach(troupe, state), { width: 375, height: 667 })
  await state.see(page)

  assert.deepEqual(await seriousFindings(page), [])
})

async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (Reflect.get(globalThis, 'axe') as typeof axe).run()) // the line above put it there
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`))
}
