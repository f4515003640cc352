import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { entries } from '../store/run-tables.ts'
import { allTools } from '../tools/all.ts'
import { aTool } from '../tools/test-gate.ts'
import { playRun } from './loop.ts'
import { outcomesOf, testAgent } from './test-agent.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

test('[A30] a run asks, runs what the model wants, tells it what happened, and ends with its answer', async (t) => {
  const { play, thread, workspace, requests } = await testAgent(t, [
    { text: 'I make it.', calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'hello' } }] },
    { text: 'Done.' },
  ])

  const run = await play()

  assert.deepEqual([run.status, run.turns, run.holder], ['completed', 2, null])
  assert.equal(await readFile(join(workspace, 'a.txt'), 'utf8'), 'hello')
  assert.deepEqual(outcomesOf(await thread(run)), ['user', 'assistant', 'create_file ok', 'assistant'])
  assert.equal(requests[1]?.entries.at(-1)?.from, 'tool')
})

test('[A8, A36] a call id that the thread or the same reply has seen before is made new, so that no answer is taken for another', async (t) => {
  const { play, thread, workspace } = await testAgent(t, [
    { calls: ['a.txt', 'b.txt'].map((path) => ({ id: 'c1', tool: 'read_file', input: { path } })) },
    { calls: [{ id: 'c1', tool: 'read_file', input: { path: 'a.txt' } }] },
    { text: 'Done.' },
  ])
  for (const name of ['a', 'b']) await writeFile(join(workspace, `${name}.txt`), name)

  const told = await thread(await play())

  const answers = told.flatMap((entry) => (entry.from === 'tool' ? [`${entry.call_id} ${entry.output.trim()}`] : []))
  assert.deepEqual(answers.toSorted(), ['c1 1\ta', 'c1_2 1\tb', 'c1_3 1\ta'])
})

test('[A31] a reply is stored before any of its calls runs, and a change is stored as running before it is made', async (t) => {
  const seen: string[][] = []
  const look: Parameters<typeof aTool>[1] = async (_input, { thread_id }) => {
    seen.push(outcomesOf(await entries.items(scene.agent.driver, { where: { thread_id }, order: ['number'] })))
    return { output: 'seen' }
  }
  const spy = aTool('spy', look, ['read_files', 'write_files'])
  const scene = await testAgent(t, [{ calls: [{ tool: 'spy', input: {} }] }, { text: 'Done.' }], { tools: [spy] })

  await scene.play()

  assert.deepEqual(seen, [['user', 'assistant', 'spy running']])
})

test('[A32] calls of one reply run side by side when all of them only read', async (t) => {
  const meeting = Promise.withResolvers<void>()
  let came = 0
  const meet = aTool('meet', async () => {
    if (++came === 2) meeting.resolve()
    await meeting.promise
    return { output: 'met' }
  })
  const call = { tool: 'meet', input: {} }
  const { play, thread } = await testAgent(t, [{ calls: [call, call] }, { text: 'Done.' }], { tools: [meet] })

  const run = await play()

  assert.deepEqual(outcomesOf(await thread(run)), ['user', 'assistant', 'meet ok', 'meet ok', 'assistant'])
})

test('[A33] with a change among them the calls of a reply run one after the other, in their order', async (t) => {
  const { play, workspace, thread } = await testAgent(t, [
    {
      calls: [
        { tool: 'create_file', input: { path: 'a.txt', content: 'one' } },
        { tool: 'update_file', input: { path: 'a.txt', old_text: 'one', new_text: 'two' } },
        { tool: 'read_file', input: { path: 'a.txt' } },
      ],
    },
    { text: 'Done.', expect: { tool_output: 'two' } },
  ])

  const run = await play()

  assert.equal(await readFile(join(workspace, 'a.txt'), 'utf8'), 'two')
  assert.deepEqual(outcomesOf(await thread(run)).slice(2, 5), ['create_file ok', 'update_file ok', 'read_file ok'])
})

test('[A34] a refusal and a failure are answers the model reads, not the end of the run', async (t) => {
  const { play, thread, workspace } = await testAgent(t, [
    { calls: [{ tool: 'create_file', input: { path: '../out.txt', content: '' } }] },
    { calls: [{ tool: 'read_file', input: { path: 'missing.txt' } }] },
    { calls: [{ tool: 'no_such_tool', input: {} }] },
    { text: 'I give up.' },
  ])
  await writeFile(join(workspace, 'b.txt'), '')

  const run = await play()

  assert.equal(run.status, 'completed')
  assert.deepEqual(
    outcomesOf(await thread(run)).filter((line) => line.includes(' ')),
    ['create_file denied', 'read_file error', 'no_such_tool error'],
  )
})

test('[A35] whoever watches hears of every step, and last of the result', async (t) => {
  const { play, events } = await testAgent(t, [
    { text: 'I look.', calls: [{ tool: 'list_directory', input: { path: '.' } }] },
    { text: 'Nothing here.' },
  ])

  await play()

  const types = events.map((event) => event.type).filter((type) => type !== 'delta')
  assert.deepEqual(types, ['init', 'message', 'tool_use', 'tool_result', 'message', 'result'])
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'result' ? [event.status, event.text, event.exit_code] : [])),
    ['completed', 'Nothing here.', 0],
  )
})

test('[A37] the role of a run comes from the store; a reply that claims another changes nothing', async (t) => {
  const claim = { text: 'The user switched me to Actor.', calls: [{ tool: 'create_file', input: { path: 'a.txt', content: '' } }] }
  const { play, thread, requests } = await testAgent(t, [claim, { text: 'As you wish.' }])

  const run = await play({ agent_role: 'planner' })

  assert.equal(run.agent_role, 'planner')
  assert.ok(outcomesOf(await thread(run)).includes('create_file denied'))
  for (const { system, tools } of requests) {
    assert.match(system, /Planner \(planner\), PLAN mode/)
    assert.ok(!tools.some((tool) => tool.name === 'create_file'))
  }
})

test('[A38] rights a role file lost since a run began are lost to the run at once', async (t) => {
  const { agent, start, thread } = await testAgent(t, [
    { calls: [{ tool: 'create_file', input: { path: 'a', content: '' } }] },
    { text: 'Done.' },
  ])
  const held = await start({ agent_role: 'actor' })
  const tightened = { ...agent.roles.need('actor'), permissions: ['read_files' as const] }
  const roles = { ...agent.roles, resolve: () => ({ role: tightened, warning: null }) }

  const run = await playRun({ ...agent, roles, tools: allTools }, held, new AbortController().signal)

  assert.ok(outcomesOf(await thread(run)).includes('create_file denied'))
})

test('[S2] without a sandbox a run’s commands are refused, and run bare only for an Actor whose user allowed it', async (t) => {
  const call = { calls: [{ tool: 'execute_command', input: { command: 'echo ran > a.txt' } }] }
  const sandbox = { kind: 'none', reason: 'a machine without one', fix: 'install one' } as const
  const refused = await testAgent(t, [call, { text: 'no' }], { sandbox })
  const allowed = await testAgent(t, [call, { text: 'yes' }], { sandbox, commands: commandSettingsWith({ unsandboxed: true }) })
  const tester = await testAgent(t, [call, { text: 'no' }], { sandbox, commands: commandSettingsWith({ unsandboxed: true }) })

  await refused.play()
  await allowed.play()
  await tester.play({ agent_role: 'tester' })

  assert.deepEqual(
    [refused, allowed, tester].map(({ workspace }) => existsSync(join(workspace, 'a.txt'))),
    [false, true, false],
  )
})

test('[A114] a model is told the day, and where it may run commands what they can reach', async (t) => {
  const { play, requests } = await testAgent(t, [{ text: 'Hello.' }, { text: 'Hello.' }])

  await play()
  await play({ agent_role: 'planner' })

  const day = new Date().toISOString().slice(0, 10)
  assert.match(requests[0]?.system ?? '', new RegExp(`Today is ${day}\\. Commands run on .* without network access`))
  assert.match(requests[1]?.system ?? '', new RegExp(`Today is ${day}\\.\\n`))
})
