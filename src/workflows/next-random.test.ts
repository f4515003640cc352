import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Context } from '../domain/workflow/condition.ts'
import { readCompleted, readDone, withDone } from '../domain/workflow/completed.ts'
import { decideNext } from '../domain/workflow/next.ts'
import { randomContext, randomValue, randomWorkflow } from './test-random-workflow.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'

const contexts = fc.array(randomContext, { minLength: 1, maxLength: 5 })

test('[W10] whatever the workflow and however the context changes, every answer is progress and the end is reached', () => {
  fc.assert(
    fc.property(randomWorkflow, contexts, (drawn, known) => {
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
    fc.property(randomWorkflow, fc.record({ a: randomValue, b: randomValue, c: randomValue }), (drawn, context) => {
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
    fc.property(randomWorkflow, fc.record({ a: randomValue, b: randomValue, c: randomValue }), (drawn, context) => {
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
