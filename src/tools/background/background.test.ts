import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { detectSandbox } from '../../sandbox/detect.ts'
import { processesWith } from '../../sandbox/test-processes.ts'
import { until } from '../../sandbox/test-until.ts'
import { toolsFor } from '../authorize.ts'
import { openTestGate, type TestGate } from '../test-gate.ts'
import { backgroundCommands } from './commands.ts'
import { commandSettingsWith } from '../../sandbox/test-command-settings.ts'

/** Says each line of `said` as soon as the file is there, and ends when there is a file `end`. */
const server = 'echo listening; while [ ! -e end ]; do if [ -e said ]; then cat said; rm said; fi; sleep 0.02; done; echo bye; exit 3'

test('[G70] a command started in the background is looked at by name: each look tells what is new, the last one how it ended', async (t) => {
  const gate = await openGate(t)

  const started = await gate.call('execute_command', { command: server, background: 'dev' })
  const first = started.output.includes('listening') ? started.output : await lookFor(gate, 'dev', 'listening')
  await gate.call('execute_command', { command: 'echo one request > .said && mv .said said' })
  const second = await lookFor(gate, 'dev', 'one request')
  await gate.call('execute_command', { command: 'touch end' })
  await until(() => gate.context.background?.running().length === 0)
  const last = await gate.call('command_output', { name: 'dev' })
  const forgotten = await gate.call('command_output', { name: 'dev' })

  assert.match(first, /^dev is running in the background, for \d+ s\nlistening$/)
  assert.deepEqual([started.outcome, started.details.running, started.details.background], ['ok', true, 'dev'])
  assert.match(second, /^dev is running in the background, for \d+ s\none request$/)
  assert.deepEqual([last.outcome, last.output, last.details.exit_code], ['error', 'dev ended: exit code 3\nbye', 3])
  assert.match(forgotten.output, /^not_found: there is no background command dev; none is running/)
})

test('[G70] one that fails at once says so in the answer to its start, and stopping one ends every process of it', async (t) => {
  const gate = await openGate(t)

  const failing = await gate.call('execute_command', { command: 'echo no port >&2; exit 1', background: 'dev' })
  await gate.call('execute_command', { command: `(setsid sh -c "sleep 600; :" here "${gate.root}" &) ; sleep 600`, background: 'dev' })
  await until(async () => (await processesWith(`here\0${gate.root}`)).length > 0)
  const stopped = await gate.call('command_output', { name: 'dev', stop: true })

  assert.deepEqual([failing.outcome, failing.output], ['error', 'dev ended: exit code 1\nno port'])
  assert.deepEqual([stopped.outcome, stopped.details.ended], ['ok', 'stopped'])
  await until(async () => (await processesWith(`here\0${gate.root}`)).length === 0)
})

test('[G70] what a look tells is bounded, and a secret printed in two halves is masked', async (t) => {
  const gate = (await openGate(t)).as({ secrets: ['hunter2hunter2'] })
  const halves =
    'printf "key hunter2h"; while [ ! -e go ]; do sleep 0.02; done; echo unter2; head -c 500000 /dev/zero | tr "\\0" x; touch done; sleep 600'

  const started = await gate.call('execute_command', { command: halves, background: 'loud' })
  const first = started.output.includes('key') ? started.output : await lookFor(gate, 'loud', 'key')
  await gate.call('execute_command', { command: 'touch go; while [ ! -e done ]; do sleep 0.02; done' })
  const second = await gate.call('command_output', { name: 'loud', stop: true })

  assert.match(first, /\nkey$/)
  assert.doesNotMatch(first + second.output, /hunter2h|unter2/)
  assert.match(second.output, /bytes cut/)
  assert.ok(second.output.length < 70_000)
})

test('[G71] a start in the background is decided and approved like any command, and a role without commands has neither tool', async (t) => {
  const gate = await openGate(t)

  const asked = await gate
    .as({ approvals: { tools: { execute_command: 'ask' }, never_ask: false } })
    .call('execute_command', { command: 'npm start', background: 'dev' })
  const designer = gate.as({ role: 'designer', permissions: ['read_files', 'create_files', 'write_files'] })
  const refused = await designer.call('command_output', { name: 'dev' })

  assert.deepEqual([asked.outcome, asked.decision.rule], ['waiting', 'setting_ask'])
  assert.match(asked.ask?.content.context ?? '', /"background": "dev"/)
  assert.deepEqual([refused.outcome, refused.decision.rule], ['denied', 'role_permissions'])
  assert.deepEqual(
    toolsFor(designer.context, designer.context.tools).filter(({ name }) => name.includes('command')),
    [],
  )
})

test('[G71] a name in use, a ninth command and a call of no run are refused', async (t) => {
  const gate = await openGate(t)
  const start = (background: string, at = gate) => at.call('execute_command', { command: 'sleep 600', background })

  const nine = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => start(name)))
  const ninth = await start('i')
  await gate.call('command_output', { name: 'b', stop: true })
  const again = await start('a')
  const outside = await start('j', (await openTestGate(t)).as({ sandbox: gate.context.sandbox }))
  const named = await start('no spaces')

  assert.deepEqual([...new Set(nine.map(({ outcome }) => outcome))], ['ok'])
  assert.match(ninth.output, /8 commands run in the background already: a, b, c/)
  assert.match(again.output, /a is still running/)
  assert.match(outside.output, /only by a run/)
  assert.equal(named.decision.rule, 'bad_input')
})

test('[G71] what a role may not change a background command of it does not change either', async (t) => {
  const gate = await openGate(t)
  const tester = gate.as({ role: 'tester', permissions: ['read_files', 'execute_commands'] })

  const { output } = await tester.call('execute_command', { command: 'touch mine && ls; sleep 600', background: 'dev' })

  assert.match(output.includes('mine') ? output : await lookFor(tester, 'dev', 'mine'), /\nmine$/)
  assert.equal(existsSync(join(gate.root, 'mine')), false)
})

/** Looks until the output has come. */
async function lookFor(gate: TestGate, name: string, text: string): Promise<string> {
  for (;;) {
    const { output, outcome } = await gate.call('command_output', { name })
    if (output.includes(text) || outcome !== 'ok') return output
  }
}

/** A gate of a run that may keep commands; they end with the test. */
async function openGate(t: TestContext): Promise<TestGate> {
  const background = backgroundCommands()
  const sandbox = await detectSandbox()
  const gate = (await openTestGate(t)).as({ background, sandbox, commands: commandSettingsWith({ unsandboxed: true }) })
  t.after(() => background.end())
  if (sandbox.kind === 'none') t.skip('there is no sandbox here')
  return gate
}
