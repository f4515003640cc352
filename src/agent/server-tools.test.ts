import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aReviewedServer, officialServer, testServerSettings, type TestBehaviour } from '../outside/test-servers.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { processesWith } from '../sandbox/test-processes.ts'
import { writeFiles } from '../sandbox/test-workspace.ts'
import { allTools } from '../tools/all.ts'
import { serverTools } from '../tools/outside/server-tools.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import type { ToolEntry } from '../domain/entry.ts'
import type { AgentContext } from './agent.ts'
import { testAgent, type TestAgent } from './test-agent.ts'
import type { Run } from '../domain/run.ts'
import type { ServerSettings } from '../outside/settings.ts'
import type * as z from 'zod'

const sandbox = await detectSandbox()
const skip = sandbox.kind === 'none' && 'there is no sandbox here'
const call = (tool: string, input: object = {}) => ({ tool: `mcp__test__${tool}`, input })

test(
  '[M101] an agent calls a tool of a server, which is started for it, answers from one process, and is gone with the run',
  { skip },
  async (t) => {
    const scene = await withServer(
      t,
      [{ calls: [call('count')] }, { calls: [call('count')] }],
      { tools: [{ name: 'count' }] },
      { may: 'read' },
    )

    const run = await scene.play()

    const answers = await answersOf(scene, run)
    const pids = answers.map(({ output }) => /call (\d) of (\d+)/.exec(output)?.slice(1))
    assert.deepEqual([pids[0]?.[0], pids[1]?.[0], pids[0]?.[1] === pids[1]?.[1]], ['1', '2', true])
    assert.deepEqual(await processesWith(`test-server.mjs\0{"tools":[{"name":"count"}]}`), [])
  },
)

test(
  '[M102] a tool that nobody classed needs every permission and asks each time, and is offered to no other role',
  { skip },
  async (t) => {
    const replies = [{ calls: [call('count')] }]
    const tools = { tools: [{ name: 'count', annotations: { readOnlyHint: true } }] }
    const [actor, planner, headless] = [
      await withServer(t, replies, tools),
      await withServer(t, replies, tools),
      await withServer(t, replies, tools, {}, { approvals: { tools: {}, never_ask: true } }),
    ]

    const statuses = [await actor.play(), await planner.play({ agent_role: 'planner' }), await headless.play()]

    assert.deepEqual(statuses.map(({ status }) => status).slice(0, 1), ['waiting'])
    assert.deepEqual(offered(actor), ['mcp__test__count'])
    assert.deepEqual([offered(planner), offered(headless)], [[], []])
    assert.equal((await answersOf(planner, statuses[1] as Run))[0]?.outcome, 'denied')
  },
)

test(
  '[M103] hints of a server only tighten what the user said, unless the user vouches for a server that the sandbox holds',
  { skip },
  async (t) => {
    const tools = [
      { name: 'reads', annotations: { readOnlyHint: true } },
      { name: 'writes', annotations: { readOnlyHint: false } },
      { name: 'destroys', annotations: { readOnlyHint: true, destructiveHint: true } },
      { name: 'silent' },
    ]
    const toolsWith = async (settings: Partial<z.input<typeof ServerSettings>>) => {
      const made = serverTools([await aReviewedServer(t, testServerSettings({ tools }, settings))])
      return made.map((tool) => `${tool.name.slice(11)} ${tool.required_permissions.length} ${tool.asks({}) === null ? 'runs' : 'asks'}`)
    }

    const plain = await toolsWith({})
    const reading = await toolsWith({ may: 'read' })
    const vouched = await toolsWith({ trust_hints: true })
    const own = await toolsWith({ may: 'anything', tools: { reads: 'off', silent: 'change', destroys: 'read' } })

    assert.deepEqual(plain, ['reads 5 asks', 'writes 5 asks', 'destroys 5 asks', 'silent 5 asks'])
    assert.deepEqual(reading, ['reads 1 runs', 'writes 4 asks', 'destroys 4 asks', 'silent 1 runs'])
    assert.deepEqual(vouched, ['reads 1 runs', 'writes 5 asks', 'destroys 5 asks', 'silent 5 asks'])
    assert.deepEqual(own, ['writes 5 runs', 'destroys 1 asks', 'silent 4 runs'])
  },
)

test('[M104] a tool that says it only reads and writes all the same changes nothing', { skip }, async (t) => {
  const behaviour: TestBehaviour = { tools: [{ name: 'write', annotations: { readOnlyHint: true } }] }
  const writing = [{ calls: [call('write', { path: 'made.txt' })] }]
  const [vouched, classed] = [
    await withServer(t, writing, behaviour, { trust_hints: true }),
    await withServer(t, writing, behaviour, { tools: { write: 'change' } }),
  ]

  const runs = [await vouched.play(), await classed.play()]

  const outcomes = [(await answersOf(vouched, runs[0] as Run))[0]?.outcome, (await answersOf(classed, runs[1] as Run))[0]?.outcome]
  assert.deepEqual(outcomes, ['error', 'ok'])
  assert.deepEqual([await readdir(vouched.workspace), await readdir(classed.workspace)], [[], ['made.txt']])
})

test('[M105] a server sees the variables it is given and no others, and no answer carries their values on', { skip }, async (t) => {
  const env = { GIVEN: 'a-value-that-is-secret', KEPT: 'another-secret-value' }
  const server = await aReviewedServer(
    t,
    testServerSettings({ tools: [{ name: 'environment' }] }, { may: 'read', env: ['GIVEN'] }),
    'test',
    env,
  )
  const scene = await scripted(t, [{ calls: [call('environment')] }], [server], { secrets: Object.values(env) })

  const run = await scene.play()

  const [answer] = await answersOf(scene, run)
  assert.match(answer?.output ?? '', /GIVEN/)
  assert.doesNotMatch(answer?.output ?? '', /secret|KEPT/)
})

for (const role of ['planner', 'code_reviewer', 'tester', 'actor']) {
  test(
    `[M106] the official servers change nothing for a role that may not, and what it may for one that may: ${role}`,
    { skip },
    async (t) => {
      const servers = await Promise.all([
        aReviewedServer(t, officialServer('filesystem', { trust_hints: true, tools: { write_file: 'change' } }), 'files'),
        aReviewedServer(t, officialServer('memory', { may: 'read' }), 'memory'),
        aReviewedServer(t, officialServer('everything', { trust_hints: true }), 'everything'),
        aReviewedServer(t, officialServer('sequential-thinking', { may: 'read' }), 'thinking'),
      ])
      const entities = [{ name: 'a', entityType: 'b', observations: ['c'] }]
      const thought = { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
      const calls = [
        { tool: 'mcp__files__read_text_file', input: { path: 'kept.txt' } },
        { tool: 'mcp__files__write_file', input: { path: 'made.txt', content: 'new' } },
        { tool: 'mcp__memory__create_entities', input: { entities } },
        { tool: 'mcp__everything__get-env', input: {} },
        { tool: 'mcp__thinking__sequentialthinking', input: thought },
      ]
      process.env['TROUPE_TEST_SECRET_KEY'] = 'never-to-be-seen'
      t.after(() => delete process.env['TROUPE_TEST_SECRET_KEY'])
      const allowed = { approvals: { tools: { mcp__files__write_file: 'allow' as const }, never_ask: true } } // it says that it destroys
      const scene = await scripted(
        t,
        calls.map((each) => ({ calls: [each] })),
        servers,
        allowed,
      )
      await writeFiles(scene.workspace, { 'kept.txt': 'the text' })

      const run = await scene.play({ agent_role: role })

      const answers = await answersOf(scene, run)
      const mayChange = role === 'actor'
      assert.match(answers[0]?.output ?? '', /the text/)
      assert.deepEqual(answers[1]?.outcome, mayChange ? 'ok' : 'denied')
      assert.doesNotMatch(answers.map(({ output }) => output).join(), /never-to-be-seen/)
      assert.deepEqual((await readdir(scene.workspace)).toSorted(), mayChange ? ['kept.txt', 'made.txt'] : ['kept.txt'])
      assert.equal(await readFile(join(scene.workspace, 'kept.txt'), 'utf8'), 'the text')
    },
  )
}

async function withServer(
  t: Cleanup,
  replies: Parameters<typeof testAgent>[1],
  behaviour: TestBehaviour,
  settings: Partial<z.input<typeof ServerSettings>> = {},
  over: Partial<AgentContext> = {},
): Promise<TestAgent> {
  return scripted(t, replies, [await aReviewedServer(t, testServerSettings(behaviour, settings))], over)
}

function scripted(
  t: Cleanup,
  replies: Parameters<typeof testAgent>[1],
  servers: Parameters<typeof serverTools>[0],
  over: Partial<AgentContext> = {},
): Promise<TestAgent> {
  return testAgent(t, [...replies, { text: 'Done.' }], { sandbox, tools: [...allTools, ...serverTools(servers)], ...over })
}

async function answersOf(scene: TestAgent, run: Run): Promise<ToolEntry[]> {
  return (await scene.thread(run)).filter((entry) => entry.from === 'tool')
}

function offered({ requests }: TestAgent): string[] {
  return requests[0]?.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__')) ?? []
}
