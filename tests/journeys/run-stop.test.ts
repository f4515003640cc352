import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { anAccount, launcher } from '../../src/cli/test-account.ts'
import { testFolder } from '../../src/sandbox/test-folder.ts'
import { processesWith } from '../../src/sandbox/test-processes.ts'
import { until } from '../../src/sandbox/test-until.ts'

test('[A87] Ctrl+C stops a run with its processes, ends with 130, and the thread can go on', async (t) => {
  const mark = `31.${process.pid}`
  const { account, child, runId } = await inACommand(t, `touch begun; sleep ${mark}`)
  const exited = once(child, 'exit')

  child.kill('SIGINT')
  const [code] = await exited

  assert.equal(code, 130)
  assert.deepEqual(await processesWith(mark), [])
  const after = await account.troupe('run', 'and now?', '--resume', runId)
  assert.deepEqual([after.code, after.stdout], [0, 'Done.\n'])
})

test('[A44] two processes cannot work on one thread at once; the second is told who holds it', async (t) => {
  const { account, child, runId } = await inACommand(t, 'touch begun; sleep 60')

  const second = await account.troupe('run', '--resume', runId)
  const third = await account.troupe('run', 'something else', '--resume', runId)
  child.kill('SIGKILL')
  await once(child, 'exit')

  assert.deepEqual([second.code, third.code], [11, 11])
  for (const { stderr } of [second, third]) assert.ok(stderr.includes(`/${child.pid}/`), stderr)
})

test('[A45] the run of a killed process is taken over at once', async (t) => {
  const { account, child, runId } = await inACommand(t, 'touch begun; sleep 60')
  child.kill('SIGKILL')
  await once(child, 'exit')

  const resumed = await account.troupe('run', '--resume', runId)

  assert.deepEqual([resumed.code, resumed.stdout], [0, 'Done.\n'])
})

/** A run in a process of its own, in the midst of a command. */
async function inACommand(t: TestContext, command: string) {
  const account = await anAccount(t, { TMPDIR: await testFolder(t) }) // a killed process leaves things there
  const replies = [{ calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'Done.', repeat: true }]
  const model = await account.script({ follow: 'thread', replies })
  const args = ['run', 'do it', '--model', model, '--output-format', 'stream-json', '--approve', 'execute_command=allow']
  const child = spawn(launcher, args, { cwd: account.project, env: account.env, stdio: ['ignore', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  const [first] = await once(child.stdout, 'data')
  const { run_id } = JSON.parse(String(first).split('\n')[0] ?? '') as { run_id: string } // the first event is init
  await until(() => existsSync(join(account.project, 'begun')))
  return { account, child, runId: run_id }
}
