import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../domain/problem.ts'
import { randomContext, randomWorkflow } from './test-random-workflow.ts'
import { judgeCondition } from '../domain/workflow/condition.ts'
import { confirmationsOf, decideNext, instanceAt } from '../domain/workflow/next.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'
import type { Driver } from '../store/driver.ts'
import { openTestStore } from '../store/test-store.ts'
import { workflowRuns, workflowRunSteps } from '../store/tables.ts'
import { advanceRun } from './advance.ts'
import type { RunAnswer } from './handle.ts'
import { startWorkflowRun } from './start.ts'
import { anEntry } from './play/test-play.ts'

const now = new Date('2026-01-01T00:00:00Z')

/** What a client may do next. `back` picks an older answer to work from, as a second client would that has not heard of the newer ones. */
const anyCall = fc.record({
  kind: fc.constantFrom('output', 'output', 'output', 'context', 'look', 'confirm'),
  context: fc.option(randomContext, { nil: undefined }),
  back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
})

test('[W100] whatever travels with an output, it is recorded for the step it was made for, once, and never without the person it needs', async (t) => {
  const store = await openTestStore(t)
  await fc.assert(
    fc.asyncProperty(randomWorkflow, randomContext, fc.array(anyCall, { minLength: 1, maxLength: 14 }), (drawn, context, calls) =>
      followRun(store, drawn, context, calls),
    ),
    { numRuns: 150 },
  )
})

test('[W100] a run hands out the same steps as a stateless client that lists what it did is given', async (t) => {
  const store = await openTestStore(t)
  await fc.assert(
    fc.asyncProperty(randomWorkflow, fc.array(randomContext, { minLength: 1, maxLength: 12 }), async (drawn, contexts) => {
      const [first = {}, ...later] = contexts
      let known = first
      const done: string[] = []
      let answer = await startWorkflowRun(store, anEntry(drawn), first, now)
      for (const context of later) {
        const stateless = decideNext(drawn, done, known)
        assert.equal(stateless.status === 'step' ? stateless.next.key : null, answer.key)
        if (answer.key === null) return
        done.push(answer.key)
        known = { ...known, ...context }
        answer = await confirmed(store, { run: answer.run, output: 'done', context })
      }
    }),
    { numRuns: 100 },
  )
})

interface Call {
  kind: string
  context: Record<string, unknown> | undefined
  back: number
}

async function followRun(store: Driver, drawn: Workflow, context: Record<string, unknown>, calls: readonly Call[]): Promise<void> {
  let answer = await startWorkflowRun(store, anEntry(drawn), context, now)
  const [id = ''] = answer.run.split('.')
  const handedOut = new Map([[answer.run, answer.key]])
  const heard = [answer]
  const taken: string[] = []
  let sent = 0
  for (const { kind, context: more, back } of calls) {
    const from = heard.at(-1 - back) ?? answer
    const output = kind === 'output' || kind === 'confirm' ? `${from.key} #${(sent += kind === 'output' ? 1 : 0)}` : undefined
    const { item: before } = await workflowRuns.get(store, id)
    const confirmation = kind === 'confirm' ? before.confirmation?.code : undefined
    const given = { run: from.run, output, context: kind === 'look' ? undefined : more, confirmation }
    const next = await advanceRun(store, given, now).catch(onlyConflict)
    if (next === null) continue
    answer = next
    assert.ok((handedOut.get(answer.run) ?? answer.key) === answer.key, `${answer.run} was given for two steps`)
    handedOut.set(answer.run, answer.key)
    heard.push(answer)
    if (answer.recorded && output !== undefined) taken.push(output)
    await checkPerson(store, drawn, id, before)
  }
  const done = await workflowRunSteps.items(store, { where: { run_id: id }, order: ['number'] })
  for (const { key, output } of done) assert.equal(output.split(' ')[0], key, `${key} was given the output "${output}"`)
  assert.deepEqual(new Set(taken), new Set(done.map(({ output }) => output)))
  assert.equal(new Set(done.map(({ key }) => key)).size, done.length)
  assert.deepEqual([...new Set(done.map(({ id: handle, key }) => handedOut.get(handle) === key))], done.length === 0 ? [] : [true])
}

/** A step that asked for a person by what was known when it was handed out has one in its record. */
async function checkPerson(store: Driver, drawn: Workflow, id: string, before: { position: number; context: Record<string, unknown> }) {
  const [done] = await workflowRunSteps.items(store, { where: { run_id: id, number: before.position } })
  if (done === undefined || done.confirmed_by !== null) return
  const open = decideNext(drawn, await keysBefore(store, id, before.position), before.context)
  assert.ok(open.status === 'step')
  const { loop, key } = open.next
  const asking = confirmationsOf(drawn, instanceAt(drawn, key, loop))
  const known = { ...before.context, ...loop?.variables }
  for (const wanted of asking)
    assert.equal(wanted !== true && judgeCondition(wanted, known).holds, false, `${key} was done without a person`)
}

async function keysBefore(store: Driver, id: string, position: number): Promise<string[]> {
  const done = await workflowRunSteps.items(store, { where: { run_id: id }, order: ['number'] })
  return done.slice(0, position).map(({ key }) => key)
}

async function confirmed(store: Driver, call: { run: string; output: string; context: Record<string, unknown> }): Promise<RunAnswer> {
  const answer = await advanceRun(store, call, now)
  return answer.status === 'confirmation_required' ? advanceRun(store, { ...call, confirmed_by: 'ada' }, now) : answer
}

function onlyConflict(error: unknown): null {
  assert.ok(error instanceof Problem && error.code === 'conflict', String(error))
  return null
}
