import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking } from '../replies.ts'
import { openTroupe } from './open-troupe.ts'

const question = asking('Drop the old table?', { drop: 'Drop it', keep: 'Keep it' }, 'critical')

test('[P22] a question outlives the server: after a kill and a restart it is answered and the run goes on', async (t) => {
  const troupe = await openTroupe(t, [{ text: JSON.stringify(question) }, { text: 'It stays.' }])
  const page = await troupe.openChat('actor', 'Tidy the database')
  const card = page.getByRole('region', { name: 'Critical question' })
  await card.getByText('Drop the old table?').waitFor()
  assert.equal(await card.getByText('suggested').count(), 0)

  await page.getByRole('textbox', { name: 'Message' }).fill('half a message')
  await troupe.kill()
  await page.getByText('Troupe is not responding.').waitFor()
  await troupe.start()
  await page.getByText('Troupe is not responding.').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'half a message')
  await page.reload()
  await card.getByRole('button', { name: 'Keep it' }).click()

  await page.getByText('It stays.').waitFor()
  assert.match(JSON.stringify(troupe.model.requests[1]?.body), /Keep it \(value: keep\)/)
})

test('[P22] a turn the server died in is marked as interrupted, and Continue carries it on', async (t) => {
  const troupe = await openTroupe(t, [{ text: 'Here is the whole answer, from its beginning to its end.', fail: 'hang' }])
  const page = await troupe.openChat('actor', 'Think hard')
  await page.getByText('Here is the whole').waitFor()

  await troupe.kill()
  await troupe.start()
  await page.getByText('This turn was interrupted. Everything up to here is kept.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByText('from its beginning to its end.').waitFor()
})

test('[P23] a page reloaded in the midst of a reply shows the reply from its beginning; Stop keeps what was said and marks it', async (t) => {
  const words = Array.from({ length: 200 }, (_, at) => `word-${at}`).join(' ')
  const troupe = await openTroupe(t, [{ text: words, fail: 'hang' }])
  const page = await troupe.openChat('actor', 'Talk')
  await page.getByText('word-0 word-1').waitFor()

  await page.reload()
  await page.getByText('word-0 word-1').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()

  await page.getByText('stopped here').waitFor()
  await page.getByText('word-0 word-1').waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  assert.equal(await page.getByText('word-0 word-1').count(), 1)
})

test('[P55] while the server is away everything read stays and nothing half written is lost; a screen not loaded yet says so and comes with the server', async (t) => {
  const troupe = await openTroupe(t, [])
  await troupe.ask('POST', '/api/workflow/create', { id: 'my-way' })
  const writing = await troupe.open('/workflows/edit?file=my-way.json')
  const looking = await troupe.open('/needs-you')
  await writing.getByRole('textbox', { name: 'my-way.json' }).fill('half a workflow')
  await looking.getByText('Nothing waits for you').waitFor()

  await troupe.kill()
  for (const page of [writing, looking]) await page.getByText('This page may be out of date').waitFor()
  await looking.getByRole('link', { name: 'Roles' }).click()
  await looking.getByRole('heading', { name: 'This screen could not be loaded' }).waitFor()
  await troupe.start()
  for (const page of [writing, looking]) await page.getByText('This page may be out of date').waitFor({ state: 'detached' })

  await looking.getByRole('heading', { name: 'Roles' }).waitFor()
  assert.equal(await writing.getByRole('textbox', { name: 'my-way.json' }).inputValue(), 'half a workflow')
})
