import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openTestStore } from '../store/test-store.ts'
import { advanceRun } from './advance.ts'
import type { RunCall } from './handle.ts'
import { runView } from './runs.ts'
import { startWorkflowRun } from './start.ts'
import { anEntry, testPlay } from './play/test-play.ts'

const now = new Date('2026-01-01T00:00:00Z')

const rounds = {
  id: 'rounds',
  type: 'loop' as const,
  title: 'Rounds',
  loop: { type: 'while' as const, condition: { var: 'go', equals: true }, maxIterations: 5 },
  body: [{ id: 'work', title: 'Work', prompt: 'Do a round.' }],
}
const deploy = { id: 'deploy', title: 'Deploy', prompt: 'Deploy it.' }

test('[W100] an output that carries the variable which ends its loop is still the output of that round', async (t) => {
  const { advance, done } = await aRun(t, [rounds, deploy], { go: true })

  const second = await advance({ output: 'Round one', context: { go: true } })
  const third = await advance({ run: second.run, output: 'Round two', context: { go: false } })

  assert.equal(third.key, 'deploy')
  assert.deepEqual(await done(), ['rounds@1::work: Round one', 'rounds@2::work: Round two'])
})

test('[W100] an output that makes an earlier step applicable is not recorded for it', async (t) => {
  const review = { id: 'review', title: 'Review', prompt: 'Review it.', runCondition: { var: 'risky' } }
  const { advance, done } = await aRun(t, [review, { id: 'measure', title: 'Measure', prompt: 'Measure.' }], { risky: false })

  const next = await advance({ output: 'Measured', context: { risky: true } })

  assert.equal(next.key, 'review')
  assert.deepEqual(await done(), ['measure: Measured'])
})

test('[W100] an output sent while no step is open is not recorded, and its sender is told so', async (t) => {
  const study = { id: 'study', title: 'Study', prompt: 'Study it.', runCondition: { var: 'known' } }
  const { run, advance, done } = await aRun(t, [study], {})

  const opened = await advance({ output: 'An answer to a question', context: { known: true } })
  const again = await advance({ output: 'An answer to a question', context: { known: true } })

  assert.deepEqual([opened.status, opened.key, opened.recorded, opened.issues.length], ['step', 'study', false, 1])
  assert.notEqual(opened.run, run)
  assert.deepEqual(again, opened)
  assert.deepEqual(await done(), [])
})

test('[W101] an output for a step that new context has closed is not recorded for the one it opened', async (t) => {
  const { advance, done } = await aRun(t, [rounds, deploy], { go: true })

  const opened = await advance({ context: { go: false } })
  const late = await advance({ output: 'A round that is over' })
  const ended = await advance({ run: opened.run, output: 'Deployed' })

  assert.deepEqual([opened.key, late.key, late.recorded, late.run], ['deploy', 'deploy', false, opened.run])
  assert.equal(ended.status, 'complete')
  assert.deepEqual(await done(), ['deploy: Deployed'])
})

test('[W101] a run that is complete takes neither context nor output', async (t) => {
  const more = { id: 'more', title: 'More', prompt: 'More.', runCondition: { var: 'more' } }
  const { advance, done } = await aRun(t, [deploy, more], { more: false })
  const ended = await advance({ output: 'Deployed' })

  const reopened = await advance({ run: ended.run, context: { more: true } })
  const late = await advance({ run: ended.run, output: 'More' })

  assert.deepEqual([ended.status, reopened.status, late.status, late.recorded], ['complete', 'complete', 'complete', false])
  assert.deepEqual(await done(), ['deploy: Deployed'])
})

test('[W30] a body step that needs a person is not passed by the variable that ends its loop, with or without an output', async (t) => {
  const asked = { ...rounds, body: [{ id: 'work', title: 'Work', prompt: 'Do a round.', requireConfirmation: true }] }
  const { advance, done } = await aRun(t, [asked, deploy], { go: true })

  const first = await advance({ output: 'Round one', context: { go: false } })
  const slipped = await advance({ context: { go: false } })
  const confirmed = await advance({ output: 'Round one', confirmed_by: 'ada' })

  assert.deepEqual([first.status, slipped.status, slipped.key], ['confirmation_required', 'confirmation_required', 'rounds@1::work'])
  assert.equal(confirmed.key, 'deploy', 'the variable that came with the output counts once the step does')
  assert.deepEqual(await done(), ['rounds@1::work: Round one'])
})

test('[W30] a variable that travels with the output can ask for a person and cannot send one away', async (t) => {
  const step = { id: 'assess', title: 'Assess', prompt: 'Assess.', requireConfirmation: { var: 'risky' } }
  const outcome = async (before: Record<string, unknown>, context: Record<string, unknown>) =>
    (await (await aRun(t, [step], before)).advance({ output: 'done', context })).status

  assert.deepEqual(
    [await outcome({ risky: true }, { risky: false }), await outcome({ risky: false }, { risky: true })],
    ['confirmation_required', 'confirmation_required'],
  )
})

test('[W19] in a run a rule is judged by what was known when its step was handed out, and by what the step adds to that', async (t) => {
  const rule = { type: 'contains' as const, value: 'proof', message: 'Show proof.', condition: { var: 'strict' } }
  const step = { id: 'prove', title: 'Prove', prompt: 'Prove it.', validationCriteria: [rule] }
  const outcome = async (before: Record<string, unknown>, context: Record<string, unknown>) =>
    (await (await aRun(t, [step], before)).advance({ output: 'done', context })).status

  assert.deepEqual(
    [await outcome({ strict: true }, { strict: false }), await outcome({}, { strict: false }), await outcome({}, { strict: true })],
    ['invalid', 'complete', 'invalid'],
  )
})

test('[W100] a play whose agent ends the loop with its output is asked for the step after it', async (t) => {
  const play = await testPlay(t, [finish('Round one', { go: false }), finish('Deployed', {})])

  const { id, status } = await play.begin({ steps: [rounds, deploy] }, { context: { go: true } })

  const { steps } = await runView(play.agent.driver, id)
  assert.equal(status, 'completed')
  assert.deepEqual(
    steps.map(({ key, output }) => `${key}: ${output}`),
    ['rounds@1::work: Round one', 'deploy: Deployed'],
  )
})

function finish(output: string, context: object) {
  return { calls: [{ tool: 'finish_step', input: { output, context } }] }
}

async function aRun(t: TestContext, steps: object[], context: Record<string, unknown>) {
  const store = await openTestStore(t)
  const { run } = await startWorkflowRun(store, anEntry({ steps }), context, now)
  return {
    run,
    advance: (call: Partial<RunCall>) => advanceRun(store, { run, ...call }, now),
    done: async () => (await runView(store, run.split('.')[0] ?? '')).steps.map(({ key, output }) => `${key}: ${output}`),
  }
}
