import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Behaviour } from '../../src/agent/outside-acp/test-outside.ts'
import { anAccount, launcher } from '../../src/cli/test-account.ts'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import { processesWith } from '../../src/sandbox/test-processes.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { frameCheck } from './acp-frames.ts'

const usage = { used: 900, size: 100_000, cost: { amount: 0.1, currency: 'USD' } }
const work = [{ think: 'Hm.' }, { plan: [{ content: 'Write', priority: 'high', status: 'pending' }] }, { leave: { kind: 'edit' } }]

test('[E20] [E21] an outside agent that speaks ACP plays any role from the command line, and every frame fits the published schemas', async (t) => {
  const account = await withAgent(t, { prompts: [[...work, { write: { path: 'made.txt', text: 'made\n' } }, { usage }, { say: 'Done.' }]] })

  const acted = await account.troupe('run', 'Go', '--model', 'agent/outsider', '--json')
  const made = await readdir(account.project)
  const planned = await account.troupe('run', 'Go', '--model', 'agent/outsider', '--role', 'planner', '--json')
  const tested = await account.troupe('run', 'Go', '--model', 'agent/outsider', '--role', 'tester', '--json')

  assert.deepEqual([acted.code, planned.code, tested.code], [0, 0, 0], acted.stderr + planned.stderr)
  const result = JSON.parse(acted.stdout)
  assert.deepEqual([result.text, result.usage.cost_microusd], ['Done.', 100_000])
  assert.deepEqual([made, await readdir(account.project)], [['made.txt'], ['made.txt']])
  assert.equal(await readFile(join(account.project, 'made.txt'), 'utf8'), 'made\n')
  assert.deepEqual(await processesWith(account.script), [])
  await account.assertFrames()
})

test('[E31] a kill -9 leaves no process of an outside agent and none that it started', async (t) => {
  if ((await detectSandbox()).kind === 'none') return t.skip('no sandbox on this machine')
  const account = await withAgent(t, { prompts: [[{ child: true }, { say: 'I work.' }, { hang: true }]] })
  const troupe = spawn(launcher, ['run', 'Go', '--model', 'agent/outsider'], { cwd: account.project, env: account.env, stdio: 'ignore' })
  await until(async () => (await account.frames()).includes('I work.'))

  troupe.kill('SIGKILL')
  await once(troupe, 'exit')

  await until(async () => (await processesWith(account.script)).length === 0)
  assert.deepEqual(await processesWith(account.script), [])
})

/** An account whose configuration names an agent that does what a test says. */
async function withAgent(t: TestContext, behaviour: Behaviour) {
  const account = await anAccount(t)
  const own = join(account.home, 'agent')
  await mkdir(own)
  const [script, log] = [join(own, 'agent.mjs'), join(own, 'frames')]
  await copyFile(join(import.meta.dirname, '../../src/agent/outside-acp/test-agent.mjs'), script)
  const args = [script, JSON.stringify({ ...behaviour, log })]
  const agents = { outsider: { protocol: 'acp', command: process.execPath, args, mounts: [own] } }
  await account.write('.config/troupe/config.yaml', JSON.stringify({ agents }))
  const frames = () => readFile(log, 'utf8').catch(() => '')
  const assertFrames = async () => {
    const check = frameCheck()
    for (const line of (await frames()).split('\n').filter(Boolean)) {
      const [from = '', ...frame] = line.split(' ')
      check.look(JSON.parse(frame.join(' ')), from === 'troupe' ? 'client' : 'agent')
    }
    check.assertValid()
  }
  return { ...account, script, frames, assertFrames }
}
