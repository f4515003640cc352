import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedProvider } from '../../providers/script/scripted.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { childrenOf } from '../../sandbox/test-processes.ts'
import { until } from '../../sandbox/test-until.ts'
import { testAgent } from '../test-agent.ts'

const sandbox = await detectSandbox()
const skip = sandbox.kind === 'none' && 'needs a sandbox'

for (const agent_role of ['actor', 'tester']) {
  test(
    `[S40, S42] while the model of the ${agent_role} thinks a sandbox is built for its next command, and none is left after the run`,
    { skip },
    async (t) => {
      const before = childrenOf(process.pid)
      const seen = new Set(before)
      const call = { calls: [{ tool: 'execute_command', input: { command: 'echo done' } }] }
      const script = scriptedProvider([call, call, { text: 'Done.' }])
      const ask: typeof script.ask = async (...asked) => {
        await until(() => childrenOf(process.pid).some((pid) => !seen.has(pid))) // thinks until one waits
        for (const pid of childrenOf(process.pid)) seen.add(pid)
        return script.ask(...asked)
      }
      const scene = await testAgent(t, [], { sandbox, chosenModelFor: async () => ({ provider: { ...script, ask }, model: 'test' }) })

      const run = await scene.play({ agent_role })

      const answers = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.details.prepared] : []))
      assert.deepEqual([run.status, ...answers], ['completed', 'used', 'used'])
      await until(() => childrenOf(process.pid).every((pid) => before.includes(pid)))
    },
  )
}

test('[S40] nothing is built for a role that has no commands', { skip }, async (t) => {
  const before = childrenOf(process.pid).length
  const scene = await testAgent(t, [{ text: 'Done.' }], { sandbox })

  const playing = scene.play({ agent_role: 'reviewer' })
  let most = before
  const look = setInterval(() => (most = Math.max(most, childrenOf(process.pid).length)), 1)
  await playing
  clearInterval(look)

  assert.equal(most, before)
})
