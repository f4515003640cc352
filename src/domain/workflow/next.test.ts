import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Problem } from '../problem.ts'
import { type Context } from './condition.ts'
import { decideNext } from './next.ts'
import { Workflow } from './workflow.ts'

const step = (id: string, more: object = {}) => ({ id, title: id, prompt: `Do ${id}.`, ...more })
const loop = (id: string, how: object, body: unknown) => ({ id, type: 'loop', title: id, loop: { maxIterations: 10, ...how }, body })

test('[W2] a file of the classic format loads unchanged and plays to its end', () => {
  const workflow = Workflow.parse(
    JSON.parse(readFileSync(new URL('../../../tests/fixtures/workflows/classic.json', import.meta.url), 'utf8')),
  )

  const played = play(workflow, { size: 'Large', skipDesign: false, files: 3, paths: ['a', 'b'], open: 0 }, (key, context) =>
    key === 'retry-tests@2::run-tests' ? { ...context, testsPass: true } : { ...context, testsPass: false },
  )

  assert.deepEqual(played, [
    'gather',
    'large-only',
    'each-file@1::read-file',
    'each-file@2::read-file',
    'each-file@2::fix-file',
    'retry-tests@1::run-tests',
    'retry-tests@2::run-tests',
    'three-times@1::polish',
    'three-times@2::polish',
    'three-times@3::polish',
  ])
})

test('[W7] a step whose variable is missing blocks with its name and is never taken for complete', () => {
  const workflow = aWorkflow(step('one'), step('two', { runCondition: { var: 'size', equals: 'Large' } }))

  const decision = decideNext(workflow, ['one'], {})

  assert.equal(decision.status, 'blocked')
  assert.deepEqual([decision.step, decision.missing], ['two', ['size']])
})

test('[W8] a step whose condition is false is passed over, and the run completes', () => {
  const workflow = aWorkflow(step('one'), step('two', { runCondition: { var: 'size', equals: 'Large' } }))

  const decision = decideNext(workflow, ['one'], { size: 'Small' })

  assert.equal(decision.status, 'complete')
  assert.deepEqual(decision.trace.at(-1), { step: 'two', decision: 'skipped', why: 'size is "Small", tested = "Large"' })
})

test('[W9] steps of a loop are named by round, and each kind of loop goes round as often as it should', () => {
  const counted = {
    for: rounds({ type: 'for', count: 3 }, {}),
    forVariable: rounds({ type: 'for', count: 'n' }, { n: 4 }),
    forNothing: rounds({ type: 'for', count: 0 }, {}),
    forEach: rounds({ type: 'forEach', items: 'list' }, { list: ['a', 'b'] }),
    while: rounds({ type: 'while', condition: { var: 'left', gt: 0 } }, { left: 2 }, (key, { left }) => ({
      left: key.endsWith('body-b') ? Number(left) - 1 : left,
    })),
    until: rounds({ type: 'until', condition: { var: 'done' } }, {}, (key) => ({ done: key === 'loop-x@2::body-b' })),
    untilTrueAlready: rounds({ type: 'until', condition: { var: 'done' } }, { done: true }),
  }

  assert.deepEqual(counted, { for: 3, forVariable: 4, forNothing: 0, forEach: 2, while: 2, until: 2, untilTrueAlready: 0 })
})

test('[W9] a round that was begun is finished even when the condition of the loop has turned', () => {
  const workflow = aWorkflow(loop('loop-x', { type: 'while', condition: { var: 'go' } }, [step('body-a'), step('body-b')]))

  const decision = decideNext(workflow, ['loop-x@1::body-a'], { go: false })

  assert.equal(decision.status === 'step' && decision.next.key, 'loop-x@1::body-b')
})

test('[W9] a loop that has ended is not entered again when its condition turns after later work', () => {
  const workflow = aWorkflow(loop('loop-x', { type: 'until', condition: { var: 'done' } }, [step('body-a')]), step('two'), step('three'))

  const decision = decideNext(workflow, ['loop-x@1::body-a', 'two'], { done: false })

  assert.equal(decision.status === 'step' && decision.next.key, 'three')
})

test('[W9] the steps of a round may test its variables', () => {
  const workflow = aWorkflow(
    loop('loop-x', { type: 'forEach', items: 'list' }, [step('body-a', { runCondition: { var: 'currentItem', equals: 'b' } })]),
  )

  const decision = decideNext(workflow, [], { list: ['a', 'b', 'c'] })

  assert.equal(decision.status, 'step')
  assert.deepEqual(decision.next.loop, {
    id: 'loop-x',
    title: 'loop-x',
    iteration: 2,
    total: 3,
    variables: { currentIteration: 2, currentItem: 'b', currentIndex: 1 },
  })
})

test('[W7] a loop whose variable is missing or of the wrong kind blocks and says which kind it wants', () => {
  const forEach = aWorkflow(loop('loop-x', { type: 'forEach', items: 'list' }, [step('body-a')]))

  const decisions = [decideNext(forEach, [], {}), decideNext(forEach, [], { list: 'a,b' })]

  assert.deepEqual(
    decisions.map((decision) => decision.status === 'blocked' && decision.why),
    ['list is not in the context', 'list must be an array; it is string'],
  )
})

test('[W10] a loop whose condition never turns ends after maxIterations and says so', () => {
  const workflow = aWorkflow(loop('loop-x', { type: 'while', condition: { var: 'go' }, maxIterations: 3 }, [step('body-a')]))

  const played = play(workflow, { go: true })
  const { trace } = decideNext(workflow, played, { go: true })

  assert.equal(played.length, 3)
  assert.equal(trace.at(-1)?.why, 'it reached maxIterations (3) before its own end')
})

test('[W8] claiming a later step or round does not make an earlier one disappear', () => {
  const workflow = aWorkflow(step('one'), loop('loop-x', { type: 'for', count: 2 }, [step('body-a')]), step('two'))

  const first = decideNext(workflow, ['two', 'loop-x@2::body-a'], {})
  const second = decideNext(workflow, ['two', 'loop-x@2::body-a', 'one'], {})

  assert.equal(first.status === 'step' && first.next.key, 'one')
  assert.equal(second.status === 'step' && second.next.key, 'loop-x@1::body-a')
})

test('[W11] an id that names no step is refused with the nearest one', () => {
  const workflow = aWorkflow(step('gather-facts'), loop('loop-x', { type: 'for', count: 2 }, [step('body-a')]))
  const listing = (key: string) => () => decideNext(workflow, [key], {})

  for (const key of ['body-a', 'loop-x@0::body-a', 'loop-x@11::body-a', 'loop-x@1::nothing'])
    assert.throws(listing(key), { code: 'bad_input' })
  assert.throws(listing('gather-fact'), ({ code, details }: Problem) => code === 'bad_input' && details['closest'] === 'gather-facts')
  assert.throws(listing('loop-x'), { code: 'bad_input', message: /such as loop-x@1::body-a \(rounds 1 to 10\)/ })
})

test('[W12] the trace tells of every step it looked at what was decided and why', () => {
  const workflow = aWorkflow(
    step('one'),
    step('two', { runCondition: { var: 'a' } }),
    step('three', { runCondition: { var: 'b' } }),
    step('four'),
  )

  const { trace } = decideNext(workflow, ['one'], { a: false, b: true })

  assert.deepEqual(
    trace.map(({ step: id, decision }) => [id, decision]),
    [
      ['one', 'completed'],
      ['two', 'skipped'],
      ['three', 'chosen'],
    ],
  )
})

function rounds(how: object, context: Context, after: (key: string, context: Context) => Context = (_, known) => known): number {
  return play(aWorkflow(loop('loop-x', how, [step('body-a'), step('body-b')])), context, after).length / 2
}

function aWorkflow(...steps: unknown[]): Workflow {
  return Workflow.parse({ id: 'example', name: 'Example', description: 'An example.', version: '1.0.0', steps })
}

/** Carries out whatever comes next until nothing does; `after` is what the work did to the context. */
function play(workflow: Workflow, context: Context, after: (key: string, context: Context) => Context = (_, known) => known): string[] {
  const done: string[] = []
  let known = context
  for (;;) {
    const decision = decideNext(workflow, done, known)
    if (decision.status === 'complete') return done
    assert.equal(decision.status, 'step', decision.status === 'blocked' ? decision.why : '')
    assert.ok(!done.includes(decision.next.key), `${decision.next.key} was asked for twice`)
    done.push(decision.next.key)
    known = { ...known, ...after(decision.next.key, known) }
  }
}
