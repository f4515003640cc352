import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aReviewedServer, testServerSettings } from '../outside/test-servers.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { allTools } from '../tools/all.ts'
import { serverTools } from '../tools/outside/server-tools.ts'
import { manyTools } from '../tools/outside/test-many-tools.ts'
import { testAgent, type TestAgent } from './test-agent.ts'

const sandbox = await detectSandbox()
const skip = sandbox.kind === 'none' && 'there is no sandbox here'
const describing = (server: string, tools?: string[]) => ({ calls: [{ tool: 'describe_tools', input: { server, tools } }] })

test(
  '[M116] a tool that was described is told in full from then on, in the next run of the chat as well, and can be called',
  { skip },
  async (t) => {
    const server = await aReviewedServer(
      t,
      testServerSettings({ tools: [{ name: 'echo', description: 'Says it again.' }] }, { may: 'read' }),
    )
    const replies = [
      describing('test'),
      describing('test', ['echo']),
      { calls: [{ tool: 'mcp__test__echo', input: { a: 1 } }] },
      { text: 'Done.' },
    ]
    const tools = [...allTools, ...manyTools(), ...serverTools([server])]
    const scene = await testAgent(t, [...replies, { text: 'Again.' }], { sandbox, tools })

    const run = await scene.play()
    await scene.play({ thread_id: run.thread_id })

    const outputs = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.output] : []))
    assert.deepEqual(outputs, ['echo: Says it again.', 'You can call them now: mcp__test__echo', '{"a":1}'])
    assert.deepEqual(toldOutside(scene), [[], [], ['mcp__test__echo'], ['mcp__test__echo'], ['mcp__test__echo']])
  },
)

test('[M115] few tools are told in full, no other tool is offered for them, and without servers nothing is', { skip }, async (t) => {
  const server = await aReviewedServer(t, testServerSettings({ tools: [{ name: 'echo' }] }, { may: 'read' }))
  const [few, none] = [
    await testAgent(t, [{ text: 'Done.' }], { tools: [...allTools, ...serverTools([server])] }),
    await testAgent(t, [{ text: 'Done.' }]),
  ]

  await few.play()
  await none.play()

  assert.deepEqual(
    firstTold(few).filter((name) => !firstTold(none).includes(name)),
    ['mcp__test__echo'],
  )
  assert.ok(!firstTold(none).includes('describe_tools'))
})

test('[M115] asking about a server or a tool that is not there says which there are', async (t) => {
  const scene = await testAgent(t, [describing('other'), describing('github', ['none']), { text: 'Done.' }], {
    tools: [...allTools, ...manyTools()],
  })

  const run = await scene.play()

  const outputs = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.output] : []))
  assert.match(outputs[0] ?? '', /^not_found: .*there are github, gitlab/)
  assert.match(outputs[1] ?? '', /^not_found: .*no tool none/)
})

function toldOutside({ requests }: TestAgent): string[][] {
  return requests.map(({ tools }) => tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__')))
}

function firstTold({ requests }: TestAgent): string[] {
  return requests[0]?.tools.map(({ name }) => name) ?? []
}
