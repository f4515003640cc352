import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type Condition, type Context } from './workflow-condition.ts'
import { readCompleted, readDone, withDone } from './workflow-completed.ts'
import { decideNext } from './workflow-next.ts'
import { Workflow } from './workflow.ts'

const variables = ['a', 'b', 'c']
const variable = fc.constantFrom(...variables)

const condition: fc.Arbitrary<Condition> = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.record({ var: variable }),
    fc.record({ var: variable, equals: fc.boolean() }),
    fc.record({ var: variable, gt: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ and: fc.array(tie('any'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('any'), { maxLength: 3 }) }),
    fc.record({ not: tie('any') }),
  ),
})).any

const plain = fc.record({ runCondition: condition }, { requiredKeys: [] })

const how = fc.oneof(
  fc.record({ type: fc.constantFrom('while', 'until'), condition, maxIterations: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant('for'), count: fc.oneof(fc.nat(4), variable), maxIterations: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant('forEach'), items: variable, maxIterations: fc.integer({ min: 1, max: 5 }) }),
)

const workflow = fc
  .array(fc.oneof(plain, fc.record({ loop: how, body: fc.array(plain, { minLength: 1, maxLength: 3 }) })), { minLength: 1, maxLength: 6 })
  .map((drawn) => {
    const steps = drawn.map((part, at) =>
      'loop' in part
        ? {
            id: `loop-${at}`,
            type: 'loop',
            title: 'L',
            loop: part.loop,
            body: part.body.map((inner, n) => named(`body-${at}-${n}`, inner)),
          }
        : named(`step-${at}`, part),
    )
    return Workflow.parse({ id: 'drawn', name: 'Drawn', description: 'Drawn at random.', version: '1.0.0', steps })
  })

const value = fc.oneof(fc.boolean(), fc.nat(4), fc.array(fc.nat(2), { maxLength: 3 }))
const contexts = fc.array(fc.dictionary(variable, value), { minLength: 1, maxLength: 5 })

test('[W10] whatever the workflow and however the context changes, every answer is progress and the end is reached', () => {
  fc.assert(
    fc.property(workflow, contexts, (drawn, known) => {
      const done: string[] = []
      for (let calls = 0; ; calls++) {
        assert.ok(calls <= 6 * 3 * 5 + 1, 'the run does not end')
        const context = known[calls % known.length] ?? {}
        const decision = decideNext(drawn, done, context)
        if (decision.status !== 'step') return checkEnd(decision, context)
        assert.ok(!done.includes(decision.next.key), `${decision.next.key} was asked for twice`)
        done.push(decision.next.key)
      }
    }),
    { numRuns: 1000 },
  )
})

test('[W7] a run is complete only when no step that could run is left open', () => {
  fc.assert(
    fc.property(workflow, fc.record({ a: value, b: value, c: value }), (drawn, context) => {
      const done: string[] = []
      for (;;) {
        const decision = decideNext(drawn, done, context)
        if (decision.status !== 'step') return checkUnconditional(drawn, done, decision.status)
        done.push(decision.next.key)
      }
    }),
    { numRuns: 500 },
  )
})

test('[W29] what a run has done is read back as it was written down, and stays short where steps follow one another', () => {
  fc.assert(
    fc.property(workflow, fc.record({ a: value, b: value, c: value }), (drawn, context) => {
      const done: string[] = []
      let kept = ''
      for (;;) {
        const decision = decideNext(drawn, done, context)
        assert.deepEqual(readDone(drawn, kept), readCompleted(drawn, done))
        if (decision.status !== 'step') break
        done.push(decision.next.key)
        kept = withDone(drawn, kept, decision.next.key)
      }
      if (drawn.steps.every((step) => step.type !== 'loop' && step.runCondition === undefined)) assert.ok(kept.split('\n').length === 1)
    }),
    { numRuns: 500 },
  )
})

function checkEnd(decision: Exclude<ReturnType<typeof decideNext>, { status: 'step' }>, context: Context): void {
  if (decision.status === 'complete') return
  assert.ok(decision.missing.length > 0, 'a blocked run must name what would unblock it')
  for (const name of decision.missing) {
    const usable = Object.hasOwn(context, name) && !decision.why.includes(`${name} must be`)
    assert.ok(!usable, `${name} is in the context and yet called missing`)
  }
}

function checkUnconditional(drawn: Workflow, done: readonly string[], status: string): void {
  if (status !== 'complete') return
  for (const step of drawn.steps) {
    if (step.type !== 'loop' && step.runCondition === undefined) assert.ok(done.includes(step.id), `${step.id} was never done`)
  }
}

function named(id: string, more: object) {
  return { id, title: 'T', prompt: 'P', ...more }
}
