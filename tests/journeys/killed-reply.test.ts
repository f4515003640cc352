import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { anAccount, launcher } from '../../src/cli/test-account.ts'
import { testFolder } from '../../src/sandbox/test-folder.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { listDrafts } from '../../src/store/run-drafts.ts'
import { inStore } from '../../src/store/test-store.ts'
import { entries, runs } from '../../src/store/tables.ts'

test('[A100] [A101] [A102] a process killed in the midst of a reply leaves its words and an estimate of its cost', async (t) => {
  const account = await anAccount(t, { TMPDIR: await testFolder(t) }) // a killed process leaves things there
  const model = await account.script([{ text: 'I begin with the parser, and then', fail: 'hang' }, { text: 'Done.' }])
  const { project: cwd, env } = account
  const child = spawn(launcher, ['run', 'do it', '--model', model], { cwd, env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until(() => inStore(account.store, async (driver) => (await listDrafts(driver)).some(({ text }) => text !== '')).catch(() => false))

  child.kill('SIGKILL')
  await ended
  const [run] = await inStore(account.store, (driver) => runs.items(driver))
  await account.script([{ text: 'Done.' }])
  const resumed = await account.troupe('run', '--resume', run?.id ?? '')

  const thread = await inStore(account.store, (driver) => entries.items(driver, { order: ['number'] }))
  assert.equal(resumed.code, 0)
  assert.deepEqual(
    thread.map((entry) => [entry.from, entry.from === 'assistant' && entry.stopped, entry.from === 'assistant' && entry.text]),
    [
      ['user', false, false],
      ['assistant', true, 'I begin with the '],
      ['note', false, false],
      ['assistant', false, 'Done.'],
    ],
  )
  const [after] = await inStore(account.store, (driver) => runs.items(driver))
  assert.ok((after?.usage.input_tokens ?? 0) > 100 && after?.usage.estimated === true, JSON.stringify(after?.usage))
})
