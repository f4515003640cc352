import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { detectSandbox } from '../../sandbox/detect.ts'
import { until } from '../../sandbox/test-until.ts'
import { liveOutput } from './live-output.ts'
import { outcomesOf, testAgent } from '../test-agent.ts'

test('[A91] what a command prints is told while it still runs, and before its result; the store keeps the answer alone', async (t) => {
  const command = 'echo early; while [ ! -e go ]; do sleep 0.05; done; echo late'
  const scene = await testAgent(t, [{ calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'Done.' }], {
    sandbox: await detectSandbox(),
  })
  const playing = scene.play()
  const told = () => scene.events.flatMap((event) => (event.type === 'tool_output' ? [event.text] : [])).join('')
  await until(() => told() === 'early\n') // the command cannot end before this test lets it

  await writeFile(join(scene.workspace, 'go'), '')
  const run = await playing

  const kinds = scene.events.map(({ type }) => type)
  assert.equal(told(), 'early\nlate\n')
  assert.ok(kinds.lastIndexOf('tool_output') < kinds.indexOf('tool_result'))
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'execute_command ok', 'assistant'])
})

test('[A91] a secret is masked also where it comes in two halves, and a flood is handed on in few pieces', async () => {
  const told: string[] = []
  const output = liveOutput(['hunter2-hunter2'], (_callId, text) => void told.push(text))

  output.hear('the key is hunter2-', 'call')
  await sleep(250) // longer than a piece is gathered, so that the first half would go out alone
  for (let line = 0; line < 10_000; line++) output.hear(line === 0 ? 'hunter2\n' : 'x', 'call')
  output.end('call')

  assert.equal(told.join(''), `the key is [masked]\n${'x'.repeat(9_999)}`)
  assert.equal(told.length, 2)
})
