import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Entry } from '../../src/domain/entry.ts'
import { entries, runs } from '../../src/store/tables.ts'
import { testRun } from '../../src/store/test-run.ts'
import { openTroupe } from './open-troupe.ts'
import { faultsInEveryLook } from './page-faults.ts'
import { setRepository } from './set-board.ts'
import { setTheScene } from './set-scene.ts'

const waits = 'while [ ! -e go ]; do sleep 0.1; done'
const coloured = String.raw`printf '\033[32mgreen part\033[0m\n'; ${waits}`

test('[V60] [V63] the trace of a chat opens beside it and shows in readable words what was done, why a call was denied, and what runs, in colours, while it runs', async (t) => {
  const troupe = await openTroupe(t, [
    { text: 'I look first.', calls: [{ tool: 'read_file', input: { path: 'a.txt' } }] },
    { calls: [{ tool: 'update_file', input: { path: 'a.txt', old_text: 'one', new_text: 'two\nthree' } }] },
    { calls: [{ tool: 'create_file', input: { path: '../outside.txt', content: 'x' } }] },
    { calls: [{ tool: 'execute_command', input: { command: coloured } }] },
    { text: 'It is done.' },
  ])
  await troupe.write('project/a.txt', 'one\n')
  const page = await troupe.openChat('actor', 'Change it')

  await page.getByRole('link', { name: 'Trace' }).click()
  const trace = page.getByRole('dialog').getByRole('log', { name: 'What the agent did' })
  const line = (words: string) => trace.locator('summary').filter({ hasText: words })
  await trace.locator('.text-good').getByText('green part').waitFor()
  await line('Editeda.txt+2-1').or(line('Editeda.txt+2−1')).waitFor()
  await trace.getByText(/^the path .* is outside the workspace/).waitFor()
  const faults = await faultsInEveryLook(page)
  await writeFile(join(troupe.workspace, 'go'), '')
  await trace.getByText('It is done.').waitFor()
  await line('Edited').click()
  await trace.getByText('Details', { exact: true }).click()
  await trace.getByText('"old_text": "one"').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  assert.deepEqual(faults, [])
})

test('[V64] what an agent did that another started is below the call, opens by itself, and leads back', async (t) => {
  const troupe = await openTroupe(t, [
    { calls: [{ tool: 'delegate', input: { role: 'planner', task: 'Look around' } }] },
    { calls: [{ tool: 'list_directory', input: {} }] },
    { text: 'Nothing there.' },
    { text: 'All done.' },
  ])
  const page = await troupe.openChat('commander', 'Look')
  await page.getByText('All done.').waitFor()

  const work = page.getByRole('group', { name: 'What Planner did' })
  await work.getByRole('button', { name: 'Show what it did' }).click()
  await work.locator('summary').filter({ hasText: 'Listed' }).waitFor()
  await work.getByRole('link', { name: 'Open' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Whole page' }).click()
  await page.getByRole('log').getByText('Nothing there.').waitFor()
  await page.getByRole('link', { name: 'Started by another agent' }).click()

  await page.getByRole('log').getByText('All done.').waitFor()
  await page.getByRole('link', { name: 'Open the chat' }).click()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
})

test('[V65] a job shows its agent at work while it works, and each exchange leads to what was done in it', async (t) => {
  const exit = { tool: 'exit', input: { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' } }
  const troupe = await openTroupe(t, [
    { text: 'I wait for it.', calls: [{ tool: 'execute_command', input: { command: 'echo built; sleep 600' } }] },
    { calls: [exit] },
    { calls: [exit] },
  ])
  await setRepository(troupe.workspace)
  await troupe.ask('POST', '/api/job/create', { id: 'paging', source: troupe.workspace, activate: true, objective: 'Page it' })
  const page = await troupe.open('/jobs/paging')
  await troupe.ask('POST', '/api/job/start', { job: 'paging', how_far: 'step' })

  const atWork = page.getByRole('region', { name: 'The agent at work' })
  await atWork.getByText('I wait for it.').waitFor()
  await atWork.getByRole('log', { name: 'Output so far' }).getByText('built').waitFor()
  await troupe.ask('POST', '/api/job/suspend', { job: 'paging' })
  await atWork.waitFor({ state: 'detached' })
})

test('[V63] a task leads to what its agents did', async (t) => {
  const troupe = await openTroupe(t, [])
  await setTheScene(troupe)
  const page = await troupe.open('/board')

  await page
    .getByRole('link', { name: /Page GET \/users by 50/ })
    .first()
    .click()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('link', { name: 'What it did' }).first().click()

  await page.getByRole('dialog').getByText('Nothing was said or done in this run').waitFor()
})

test('[V66] of a trace of ten thousand calls only what is in sight is drawn, at its beginning and at its end', async (t) => {
  const troupe = await openTroupe(t, [])
  const driver = await troupe.openStore()
  const run = testRun({ id: 'run_long', thread_id: 'thread_long', status: 'completed', ended_at: '2026-01-01T01:00:00.000Z' })
  await runs.add(driver, run)
  await driver.transaction(async (tx) => {
    for (let at = 0; at < 10_000; at++) await entries.add(tx, said(at))
  })
  const page = await troupe.open('/runs/run_long')

  const trace = page.getByRole('log', { name: 'What the agent did' })
  await trace.getByText('Message 0 ', { exact: false }).first().waitFor()
  await page.locator('[role=log][aria-busy=false]').waitFor()
  await trace.evaluate((box) => box.scrollTo(0, 1e9))
  await trace.getByText('Message 9999 ', { exact: false }).waitFor()

  const drawn = await trace.locator('p').count()
  assert.ok(drawn > 3 && drawn < 300, `${drawn} drawn`)
})

function said(number: number): Entry {
  const common = { id: `entry_${number}`, thread_id: 'thread_long', number, run_id: 'run_long', at: '2026-01-01T00:00:00.000Z' }
  return Entry.parse({
    ...common,
    from: 'assistant',
    role: 'actor',
    model: 'scripted/test',
    type: 'text',
    text: `Message ${number} of many`,
    calls: [],
    usage: {},
    took_ms: 1,
  })
}
