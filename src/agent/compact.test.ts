import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { asking } from '../../tests/replies.ts'
import type { ModelRequest } from '../providers/provider.ts'
import { scriptedProvider } from '../providers/script/scripted.ts'
import type { StepInput } from '../providers/script/script.ts'
import { PlanContent } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import { QuestionContent } from '../domain/question.ts'
import { plans, questions, runs } from '../store/run-tables.ts'
import type { AgentContext } from './agent.ts'
import { playRun } from './loop.ts'
import { draftPlan, newQuestion } from './person/proposals.ts'
import { testAgent } from './test-agent.ts'

const read = { calls: [{ tool: 'read_file', input: { path: 'big.txt' } }] }

test('[A70] near the limit of the context old tool outputs are left out first, and the store keeps them all', async (t) => {
  const requests: ModelRequest[] = []
  const scene = await testAgent(t, [], { chosenModelFor: small(requests, [...Array.from({ length: 7 }, () => read), { text: 'Done.' }]) })
  await writeFile(join(scene.workspace, 'big.txt'), 'words of a file\n'.repeat(400))

  const run = await scene.play()

  const sent = requests.at(-1)?.entries.flatMap((entry) => (entry.from === 'tool' ? entry.output.length : [])) ?? []
  const stored = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? entry.output.length : []))
  assert.equal(run.status, 'completed')
  assert.ok((sent[0] ?? 0) < 200 && (sent.at(-1) ?? 0) > 6_000, `sent ${sent.join(', ')}`)
  assert.ok(stored.length === 7 && stored.every((length) => length > 6_000))
  assert.ok((await scene.thread(run)).some((entry) => entry.from === 'note' && entry.type === 'compaction'))
})

test('[A39] the approved plan still stands word for word in the request after the thread was compacted', async (t) => {
  const requests: ModelRequest[] = []
  const scene = await testAgent(t, [], { chosenModelFor: small(requests, [...Array.from({ length: 7 }, () => read), { text: 'Done.' }]) })
  await writeFile(join(scene.workspace, 'big.txt'), 'words of a file\n'.repeat(400))
  const content = PlanContent.parse({ goal: 'Read it seven times', steps: [{ step_number: 1, action: 'Read big.txt' }] })
  const held = await scene.start({ thread_id: 'thread_1' })
  const plan = { ...draftPlan(held.item, content, new Date()), status: 'approved' as const }
  await plans.add(scene.agent.driver, plan)
  const carrying = await runs.replace(scene.agent.driver, held, { ...held.item, plan_id: plan.id })

  const run = await playRun(scene.agent, carrying, new AbortController().signal)

  assert.ok((await scene.thread(run)).some((entry) => entry.from === 'note' && entry.type === 'compaction'))
  assert.ok(requests.at(-1)?.system.includes(JSON.stringify(content, null, 2)))
})

test('[A71] when that is not enough the old part becomes a summary, with the request and an open question word for word', async (t) => {
  const requests: ModelRequest[] = []
  const long = { text: 'thinking '.repeat(1_000), calls: [{ tool: 'list_directory', input: { path: '.' } }] }
  const summary = { text: 'They wanted a thing and half of it is done.', when: { system: 'Summarise the conversation' }, repeat: true }
  const steps = [
    summary,
    ...Array.from({ length: 8 }, () => ({ ...long, when: { tools: ['create_file'], system: 'ACTOR' } })),
    { text: 'Done.' },
  ]
  const scene = await testAgent(t, [], { chosenModelFor: small(requests, steps) })
  const held = await scene.start({ prompt: 'Make exactly the thing.', thread_id: 'thread_1' })
  const open = QuestionContent.parse(asking('Blue or red?', { blue: 'Blue' }))
  await questions.add(scene.agent.driver, newQuestion({ ...held.item, id: 'run_other' }, open, null, new Date()))

  const run = await playRun(scene.agent, held, new AbortController().signal)

  const first = requests.at(-1)?.entries[0]
  assert.equal(run.status, 'completed')
  assert.ok(first?.from === 'user')
  for (const kept of ['half of it is done', 'Make exactly the thing.', 'Blue or red?']) assert.ok(first.text.includes(kept), first.text)
  assert.ok((await scene.thread(run)).filter((entry) => entry.from === 'assistant').length >= 8)
})

test('[A71] a model that calls a tool instead of summarising, or says nothing, makes nobody forget what was said', async (t) => {
  const requests: ModelRequest[] = []
  const look = [{ tool: 'list_directory', input: { path: '.' } }]
  const silent = { text: '', calls: look, when: { system: 'Summarise the conversation' }, repeat: true }
  const long = { text: 'thinking '.repeat(1_000), calls: look, when: { system: 'ACTOR' } }
  const scene = await testAgent(t, [], {
    chosenModelFor: small(requests, [silent, ...Array.from({ length: 5 }, () => long), { text: 'Done.' }]),
  })

  const run = await scene.play({ prompt: 'Make exactly the thing.' })

  const sent = requests.at(-1)?.entries ?? []
  assert.equal(run.status, 'completed')
  assert.equal(sent.filter((entry) => entry.from === 'assistant').length, 5)
  assert.ok(sent.every((entry) => entry.from !== 'user' || entry.text === 'Make exactly the thing.'))
})

test('[A72] what is sent always has every call followed by its answer, compacted or not', async (t) => {
  const requests: ModelRequest[] = []
  const scene = await testAgent(t, [], { chosenModelFor: small(requests, [...Array.from({ length: 12 }, () => read), { text: 'Done.' }]) })
  await writeFile(join(scene.workspace, 'big.txt'), 'words of a file\n'.repeat(300))

  await scene.play()

  for (const { entries } of requests) {
    const called = entries.flatMap((entry) => (entry.from === 'assistant' ? entry.calls.map((call) => call.id) : []))
    const answered = entries.flatMap((entry) => (entry.from === 'tool' ? entry.call_id : []))
    assert.deepEqual(answered.toSorted(), called.toSorted())
    assert.notEqual(entries[0]?.from, 'tool')
  }
})

/** A model with room for ten thousand tokens. */
function small(requests: ModelRequest[], replies: readonly StepInput<ModelRequest>[]): AgentContext['chosenModelFor'] {
  const scripted = scriptedProvider(replies)
  return async () => ({
    model: 'small',
    provider: {
      ...scripted,
      contextWindow: () => 10_000,
      ask: (request, ...rest) => {
        if (!request.system.startsWith('You keep the record')) requests.push({ ...request, entries: [...request.entries] })
        return scripted.ask(request, ...rest)
      },
    },
  })
}

test('[A113] a request that the provider finds too large is asked again with less, at last without the outputs of the turn itself', async (t) => {
  const requests: ModelRequest[] = []
  const scene = await testAgent(t, [], { chosenModelFor: narrow(requests, () => 9_000, [read, read, { text: 'Done.' }]) })
  await writeFile(join(scene.workspace, 'big.txt'), 'words of a file\n'.repeat(1_500))

  const run = await scene.play({ prompt: 'Make exactly the thing.' })

  assert.equal(run.status, 'completed')
  assert.ok(requests.at(-1)?.entries.some((entry) => entry.from === 'user' && entry.text.includes('Make exactly the thing.')))
  assert.ok((await scene.thread(run)).some((entry) => entry.from === 'tool' && entry.output.length > 6_000))
})

test('[A113] where even the summary is too large, what the user said stands for the old part', async (t) => {
  const requests: ModelRequest[] = []
  const long = Array.from({ length: 8 }, () => ({
    text: 'thinking '.repeat(1_000),
    calls: [{ tool: 'list_directory', input: { path: '.' } }],
  }))
  const scene = await testAgent(t, [], {
    chosenModelFor: narrow(requests, () => (requests.length < 8 ? 100_000 : 8_000), [...long, { text: 'Done.' }]),
  })

  const run = await scene.play({ prompt: 'Make exactly the thing.' })

  const sent = JSON.stringify(requests.at(-1)?.entries)
  assert.deepEqual([run.status, /too long to be summarised/.test(sent), /Make exactly the thing/.test(sent)], ['completed', true, true])
})

test('[A113] a message that is too large by itself is refused with what to do', async (t) => {
  const scene = await testAgent(t, [], { chosenModelFor: narrow([], () => 1_000, [{ text: 'Done.' }]) })

  const run = await scene.play({ prompt: 'word '.repeat(5_000) })

  assert.deepEqual([run.status, run.reason], ['failed', 'too_large'])
})

/** A model whose server refuses requests beyond a size that it told nobody. */
function narrow(
  requests: ModelRequest[],
  tokens: () => number,
  replies: readonly StepInput<ModelRequest>[],
): AgentContext['chosenModelFor'] {
  const scripted = scriptedProvider(replies)
  return async () => ({
    model: 'narrow',
    provider: {
      ...scripted,
      ask: async (request, ...rest) => {
        if (JSON.stringify(request.entries).length / 4 > tokens()) throw new Problem('too_large', 'the prompt is too long')
        requests.push({ ...request, entries: [...request.entries] })
        return scripted.ask(request, ...rest)
      },
    },
  })
}
