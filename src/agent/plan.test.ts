import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Usage } from '../domain/entry.ts'
import { PlanContent, type Plan } from '../domain/plan.ts'
import type { ModelReply } from '../providers/provider.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { plans } from '../store/run-tables.ts'
import { planHash } from './person/proposals.ts'
import { testAgent } from './test-agent.ts'

const look = { tool: 'list_directory', input: { path: '.' } }

test('[A39] the approved plan stands word for word in every request of the run that carries it out', async (t) => {
  const { play, agent, requests } = await testAgent(t, [{ calls: [look] }, { text: 'Done.' }])
  await plans.add(agent.driver, approved)

  await play({ plan_id: approved.id, thread_id: approved.thread_id })

  for (const { system } of requests) assert.ok(system.includes(JSON.stringify(approved.content, null, 2)))
})

test('[A79] a plan that is changed while it is carried out stops the run before its next turn', async (t) => {
  const change = async () => {
    const was = await plans.get(agent.driver, approved.id)
    await plans.replace(agent.driver, was, { ...was.item, status: 'superseded' })
    return { calls: [look] }
  }
  const { play, agent, requests } = await testAgent(t, [change, { text: 'Done.' }])
  await plans.add(agent.driver, approved)

  const run = await play({ plan_id: approved.id, thread_id: approved.thread_id })

  assert.deepEqual([run.status, run.reason, requests.length], ['failed', 'needs_person', 1])
})

test('[A80] a plan that was carried out to the end is executed and cannot be carried out again', async (t) => {
  const { play, agent } = await testAgent(t, [{ text: 'Done.' }, { text: 'Again?' }])
  await plans.add(agent.driver, approved)

  await play({ plan_id: approved.id, thread_id: approved.thread_id })
  const again = await play({ plan_id: approved.id, thread_id: approved.thread_id })

  assert.equal((await plans.get(agent.driver, approved.id)).item.status, 'executed')
  assert.equal(again.reason, 'needs_person')
})

test('[A80] a plan is not over because a part of it was delegated', async (t) => {
  const scene = await testAgent(t, [
    { calls: [{ tool: 'delegate', input: { role: 'actor', task: 'Do a part.' } }] },
    { text: 'The part is done.' },
    { text: 'All is done.' },
  ])
  await plans.add(scene.agent.driver, approved)

  const run = await scene.play({ agent_role: 'commander', plan_id: approved.id, thread_id: approved.thread_id })

  assert.deepEqual([run.status, run.reason, scene.requests.length], ['completed', null, 3])
  assert.equal((await plans.get(scene.agent.driver, approved.id)).item.status, 'executed')
})

test('[A80] a plan is not over with a question that cannot be read, a reply that was cut, or silence', async (t) => {
  const asked = await statusAfter(t, { text: '{"type": "question", "question": "Which one?"}', stop: 'end' })
  const cut = await statusAfter(t, { text: 'I have only just', stop: 'length' })
  const silent = await statusAfter(t, { text: ' ', stop: 'end' })

  assert.deepEqual([asked, cut, silent], ['approved', 'approved', 'approved'])
})

/** What becomes of an approved plan when this was the last reply of the run that carries it out. */
async function statusAfter(t: Cleanup, last: Pick<ModelReply, 'text' | 'stop'>): Promise<Plan['status']> {
  const ask = async () => ({ ...last, calls: [], usage: Usage.parse({}), model: 'test' })
  const provider = { name: 'test', contextWindow: () => null, ask }
  const { play, agent } = await testAgent(t, [], { chosenModelFor: async () => ({ provider, model: 'test' }) })
  await plans.add(agent.driver, approved)
  await play({ plan_id: approved.id, thread_id: approved.thread_id })
  return (await plans.get(agent.driver, approved.id)).item.status
}

const content = PlanContent.parse({
  goal: 'Look around',
  steps: [{ step_number: 1, action: 'List the folder' }],
  risks: ['none to speak of'],
})

const approved: Plan = {
  id: 'plan_1',
  thread_id: 'thread_1',
  version: 1,
  previous_id: null,
  status: 'approved',
  hash: planHash(content),
  content,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by: 'planner',
  approved_at: '2026-01-01T00:00:00.000Z',
  approved_by: 'user',
}
