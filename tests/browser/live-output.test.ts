import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'

const command = 'for i in 1 2 3; do echo "building part $i"; done; while [ ! -e go ]; do sleep 0.1; done; echo built'

test('[P42] the output of a command is on the page while it runs, also for a page that comes late, and then part of its answer', async (t) => {
  const troupe = await openTroupe(t, [{ text: '', calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'It is built.' }])
  const chat = await troupe.newChat('actor', 'Build it')
  const page = await troupe.open(`/chat/${chat.id}`)
  const output = page.getByRole('log', { name: 'Output so far' })
  await output.getByText('building part 3').waitFor()

  const late = await troupe.open(`/chat/${chat.id}`)
  await late.getByRole('log', { name: 'Output so far' }).getByText('building part 1').waitFor()
  await writeFile(join(troupe.workspace, 'go'), '')
  await page.getByText('It is built.').waitFor()
  await page.locator('summary').filter({ hasText: 'Ran' }).click()

  await page.getByLabel('Answer', { exact: true }).getByText('built').waitFor()
  assert.equal(await output.count(), 0)
})

test('[P76] what a command prints reads as text while it runs and afterwards, and reaches the model so: colours and titles of a terminal are left out', async (t) => {
  const coloured = String.raw`printf '\033]0;title\007\033[32mgreen part\033[0m\033[2K\n'; while [ ! -e go ]; do sleep 0.1; done`
  const troupe = await openTroupe(t, [
    { text: '', calls: [{ tool: 'execute_command', input: { command: coloured } }] },
    { text: 'It is built.' },
  ])
  const page = await troupe.openChat('actor', 'Build it')
  const output = page.getByRole('log', { name: 'Output so far' })
  await output.getByText('green part').waitFor()
  const live = await output.innerText()

  await writeFile(join(troupe.workspace, 'go'), '')
  await page.getByText('It is built.').waitFor()
  await page.locator('summary').filter({ hasText: 'Ran' }).click()
  const kept = await page.getByLabel('Answer', { exact: true }).innerText()

  assert.equal(live, 'green part')
  assert.equal(kept, 'exit code 0\ngreen part')
  assert.match(JSON.stringify(troupe.model.requests.at(-1)?.body), /exit code 0\\+ngreen part"/)
})
