import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { questions, runs } from '../store/run-tables.ts'
import { allTools } from '../tools/all.ts'
import { answerQuestion } from './person/answer.ts'
import { playRun } from './loop.ts'
import { goneHolder, outcomesOf, testAgent, waiter } from './test-agent.ts'

const asCommander = { system: 'COMMANDER role' }
const asActor = { system: 'ACTOR role' }
const order = (role: string, task = 'write a.txt', id = 'd1') => ({
  calls: [{ id, tool: 'delegate', input: { role, task } }],
  when: asCommander,
})

test('[A73] a role has another one do its work, and what that one answers is the answer of the call', async (t) => {
  const scene = await testAgent(t, [
    order('actor'),
    { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'a' } }], when: asActor, expect: { user: 'write a.txt' } },
    { text: 'Written.', when: asActor, usage: { input_tokens: 5, cost_microusd: 3 } },
    { text: 'All done.', when: asCommander, expect: { tool_output: 'Written.' }, usage: { cost_microusd: 4 } },
  ])

  const run = await scene.play({ agent_role: 'commander' })

  const [child] = await runs.items(scene.agent.driver, { where: { parent_run_id: run.id } })
  assert.deepEqual([run.status, child?.status, child?.depth], ['completed', 'completed', 1])
  assert.ok(existsSync(join(scene.workspace, 'a.txt')))
  assert.equal(run.usage.input_tokens, 5)
})

test('[R19] [R20] a child is held to its own role and to every ceiling above it, and only listed roles can be started', async (t) => {
  const scene = await testAgent(t, [
    order('tester'),
    order('planner', 'write', 'd2'),
    { calls: [{ tool: 'create_file', input: { path: 'a.txt', content: '' } }], when: { system: 'PLANNER role' } },
    { text: 'I may not.', when: { system: 'PLANNER role' } },
    { text: 'Nothing done.', when: asCommander },
  ])

  const run = await scene.play({ agent_role: 'commander' })

  const children = await runs.items(scene.agent.driver, { where: { parent_run_id: run.id } })
  assert.deepEqual(rowsOf(children, 'agent_role', 'permissions'), [['planner', ['read_files']]])
  assert.deepEqual(
    outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('delegate')),
    ['delegate error', 'delegate ok'],
  )
  assert.ok(!existsSync(join(scene.workspace, 'a.txt')))
})

const thought = { text: 'Thought.', when: { system: 'PLANNER role' }, repeat: true }

const manyOrders = (many: number) => ({
  calls: Array.from({ length: many }, (_, at) => ({ id: `d${at}`, tool: 'delegate', input: { role: 'planner', task: 'think' } })),
  when: asCommander,
})

test('[A75] depth, children and total each refuse a further child', async (t) => {
  const limits = [
    { max_depth: 0, max_children: 9, max_total: 9 },
    { max_depth: 9, max_children: 1, max_total: 9 },
    { max_depth: 9, max_children: 9, max_total: 1 },
  ]

  const outcomes = []
  for (const delegation of limits) {
    const scene = await testAgent(
      t,
      [order('planner', 'think', 'd1'), order('planner', 'think', 'd2'), { text: 'Done.', when: asCommander }, thought],
      { delegation },
    )
    const run = await scene.play({ agent_role: 'commander' })
    outcomes.push(outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('delegate')))
  }

  assert.deepEqual(outcomes, [
    ['delegate error', 'delegate error'],
    ['delegate ok', 'delegate error'],
    ['delegate ok', 'delegate error'],
  ])
})

for (const many of [12, 40, 100]) {
  test(`[A75] of ${many} delegations in one reply only as many start as the limits let`, async (t) => {
    const scene = await testAgent(t, [manyOrders(many), { text: 'Done.', when: asCommander }, thought], {
      delegation: { max_depth: 3, max_children: 8, max_total: 32 },
    })

    const run = await scene.play({ agent_role: 'commander' })

    const outcomes = outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('delegate'))
    assert.equal(await runs.count(scene.agent.driver, { parent_run_id: run.id }), 8)
    assert.deepEqual([outcomes.length, outcomes.filter((line) => line === 'delegate ok').length], [many, 8])
  })
}

test('[A94] agents delegated to in one reply spend one budget together, and are refused when it is used up', async (t) => {
  const costly = { ...thought, usage: { input_tokens: 90, cost_microusd: 900_000 } }
  const limits = [{ max_cost_microusd: 1_000_000 }, { max_tokens: 100 }]

  for (const limit of limits) {
    const scene = await testAgent(t, [{ ...manyOrders(20), usage: { cost_microusd: 0 } }, { text: 'Done.', when: asCommander }, costly])
    const run = await scene.play({ agent_role: 'commander', limits: limit })

    const children = await runs.items(scene.agent.driver, { where: { parent_run_id: run.id } })
    const outcomes = outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('delegate'))
    assert.deepEqual([children.length, outcomes.length, run.reason], [2, 20, 'budget'])
    assert.equal(run.usage.cost_microusd, 1_800_000) // one request beyond the limit, as for every run
    const left = children.map(({ limits: own }) => own.max_cost_microusd ?? own.max_tokens ?? 0)
    assert.equal(Math.min(...left), 'max_tokens' in limit ? 10 : 100_000)
  }
})

test('[A76] a child that waits for a person makes its parent wait, and the answer carries both on', async (t) => {
  const question = { type: 'question', question: 'Which name?', severity: 'minor', options: [{ label: 'A', value: 'a' }] }
  const scene = await testAgent(t, [
    order('actor'),
    { text: JSON.stringify(question), when: asActor },
    { text: 'Named a.', when: asActor, expect: { user: 'value: a' } },
    { text: 'All done.', when: asCommander, expect: { tool_output: 'Named a.' } },
  ])
  const waiting = await scene.play({ agent_role: 'commander' })

  await answerQuestion(scene.agent.driver, waiting.question_id ?? '', { value: 'a' }, 'user', new Date())
  const run = await scene.resume(waiting.id)

  assert.deepEqual([waiting.status, run.status], ['waiting', 'completed'])
  assert.equal(await runs.count(scene.agent.driver, { parent_run_id: run.id }), 1)
})

test('[A77] stopping a parent stops its child', async (t) => {
  const stop = new AbortController()
  const scene = await testAgent(t, [order('actor'), { calls: [{ tool: 'wait', input: {} }], when: asActor }], {
    tools: [...allTools, waiter(() => stop.abort())],
  })

  const run = await scene.play({ agent_role: 'commander' }, stop.signal)

  const [child] = await runs.items(scene.agent.driver, { where: { parent_run_id: run.id } })
  assert.deepEqual([run.status, child?.status, child?.holder], ['stopped', 'stopped', null])
})

test('[A46] a new request withdraws what an agent asked that the run before it had delegated to', async (t) => {
  const question = { type: 'question', question: 'Which?', severity: 'minor', options: [{ label: 'A', value: 'a' }] }
  const scene = await testAgent(t, [order('actor'), { text: JSON.stringify(question), when: asActor }, { text: 'Something else.' }])
  const waiting = await scene.play({ agent_role: 'commander' })

  await scene.play({ thread_id: waiting.thread_id, prompt: 'Leave that.' })

  const [child] = await runs.items(scene.agent.driver, { where: { parent_run_id: waiting.id } })
  const [asked] = await questions.items(scene.agent.driver, { where: { thread_id: child?.thread_id ?? '' } })
  assert.deepEqual([waiting.status, child?.status, asked?.status], ['waiting', 'stopped', 'cancelled'])
})

test('[A78] a parent that was killed goes on with the child it had started', async (t) => {
  const asked = Promise.withResolvers<void>()
  const hangsOnce = () => {
    asked.resolve()
    return { text: 'Written.', fail: 'hang' as const }
  }
  const scene = await testAgent(t, [order('actor'), hangsOnce, { text: 'All done.', when: asCommander }])
  const held = await scene.start({ agent_role: 'commander' })
  const dying = new AbortController()
  const ghost = playRun(scene.agent, held, dying.signal)
  await Promise.race([asked.promise, ghost])
  for (const { item } of await runs.list(scene.agent.driver, { where: { status: 'running' } })) {
    await runs.replace(scene.agent.driver, await runs.get(scene.agent.driver, item.id), { ...item, holder: goneHolder() })
  }

  const run = await scene.resume(held.item.id)
  dying.abort()

  await assert.rejects(ghost, { code: 'busy' })
  assert.equal(run.status, 'completed')
  assert.equal(await runs.count(scene.agent.driver, { parent_run_id: run.id }), 1)
})
