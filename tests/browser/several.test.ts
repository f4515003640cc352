import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, planned } from '../replies.ts'
import { openTroupe } from './open-troupe.ts'

test('[P68] several plans of a reply are cards in order with the words between them, and Execute runs the one it stands on', async (t) => {
  const text = `The safe one: ${JSON.stringify(planned('Option A', ['Look twice']))}\nThe risky one: ${JSON.stringify(planned('Option B', ['Leap']))}\nI recommend option A.`
  const troupe = await openTroupe(t, [{ text }, { text: 'Looked twice.' }])
  const page = await troupe.openChat('planner', 'What could be done?')
  await page.getByText('I recommend option A.').waitFor()

  const said = await page.getByRole('log', { name: 'Messages' }).innerText()
  await page.getByRole('textbox', { name: 'Message' }).fill('go ahead')
  await page.getByText('There are 2 to choose from').waitFor()
  const card = page.getByRole('region', { name: 'Plan, version 1' })
  await card.getByRole('button', { name: 'Execute Plan' }).click()
  await page.getByText('Looked twice.').waitFor()

  assert.match(said, /The safe one:[^]*Option A[^]*Execute Plan[^]*The risky one:[^]*Option B[^]*Execute Plan[^]*I recommend option A\./)
  assert.match(JSON.stringify(troupe.model.requests[1]?.body), /Option A/)
  await page.getByText('superseded').waitFor()
})

test('[P69] several questions of a reply are cards, each with its own answer, and the run goes on after the last', async (t) => {
  const ask = [
    asking('Drop the table?', { drop: 'Drop it', keep: 'Keep it' }, 'critical'),
    asking('Use tabs?', { tabs: 'Tabs', spaces: 'Spaces' }),
  ]
  const troupe = await openTroupe(t, [{ text: ask.map((question) => JSON.stringify(question)).join('\n\n') }, { text: 'Kept, with tabs.' }])
  const page = await troupe.openChat('actor', 'Clean up')
  await page.getByText('2 questions wait').waitFor()

  await page.getByRole('button', { name: 'Tabs' }).click()
  await page.getByText('Answered by').waitFor()
  assert.equal(troupe.model.requests.length, 1)
  await page.getByRole('button', { name: 'Keep it' }).click()

  await page.getByText('Kept, with tabs.').waitFor()
  assert.match(JSON.stringify(troupe.model.requests[1]?.body), /value: keep[^]*value: tabs/)
})
