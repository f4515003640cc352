import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cannotHold } from '../../domain/workflow/condition-check.ts'
import { readWorkflow } from './read.ts'
import { workflowWarnings } from './warnings.ts'

const step = { id: 'one', title: 'One', prompt: 'Do one and set `size`.' }
const base = { id: 'abc', name: 'A', description: 'B', version: '1.0.0', steps: [step] }
const withStep = (more: object) => ({ ...base, steps: [step, { id: 'two', title: 'Two', prompt: 'Do two.', ...more }] })

// oxfmt-ignore
const odd: readonly [string, object, string][] = [
  ['a role in a prompt',          withStep({ prompt: "Agent's Role: Act as a strict reviewer.\n\nReview it." }),              'steps.1.prompt'],
  ['a variable nobody sets',      withStep({ runCondition: { var: 'colour', equals: 'red' } }),                               'steps.1.runCondition'],
  ['a place nobody fills',        withStep({ title: 'Look at {{candidate.name}}' }),                                          'steps.1.title'],
  ['a condition that cannot hold', withStep({ runCondition: { and: [{ var: 'size', equals: 1 }, { var: 'size', equals: 2 }] } }), 'steps.1.runCondition'],
  ['two spellings of one value',  withStep({ runCondition: { or: [{ var: 'size', equals: 'Large' }, { var: 'size', equals: 'large' }] } }), 'steps.1.runCondition'],
  ['an undefined reference',      withStep({ functionReferences: ['greet()'] }),                                              'steps.1.functionReferences.0'],
  ['no version',                  { ...base, version: undefined },                                                            'version'],
]

test('[W103] what an author probably did not mean is told with its line, and does not keep the file from loading', async () => {
  for (const [name, document, field] of odd) {
    const found = await warningsOf(document)
    assert.deepEqual(
      found.map((warning) => warning.field),
      [field],
      `${name}: ${JSON.stringify(found)}`,
    )
    assert.ok(found.every(({ line, problem, fix }) => line > 0 && problem !== '' && fix !== ''))
  }
})

test('[W103] nothing is warned about that is as it should be', async () => {
  const loop = {
    id: 'each',
    type: 'loop',
    title: 'Each',
    loop: { type: 'forEach', items: 'files', maxIterations: 3 },
    body: [
      {
        id: 'look',
        title: 'Look at {{currentItem.name}}',
        prompt: 'Look, round {{currentIteration}}.',
        runCondition: { var: 'currentIndex', gt: 0 },
      },
    ],
  }
  const fine = [
    withStep({ runCondition: { var: 'size', equals: 'large' }, prompt: 'The size is {{size}}.' }),
    { ...base, steps: [{ ...step, guidance: ['Set files to a list.'] }, loop] },
  ]

  for (const document of fine) assert.deepEqual(await warningsOf(document), [])
})

test('[W103] a condition is said to be impossible only where it is', () => {
  const x = { var: 'x' }
  const impossible = [
    { or: [] },
    { ...x, equals: 1, not_equals: 1 },
    { ...x, gt: 3, lt: 3 },
    { ...x, equals: 'a', gt: 1 },
    { not: {} },
    { and: [{ or: [{ or: [] }] }] },
  ]
  const possible = [
    {},
    { and: [] },
    { ...x, gt: 1, lt: 3 },
    { ...x, gte: 3, lte: 3 },
    { ...x, equals: 2, gt: 1 },
    { or: [{ or: [] }, x] },
    { not: { or: [] } },
  ]

  assert.deepEqual([impossible.filter(cannotHold).length, possible.filter(cannotHold).length], [impossible.length, 0])
})

async function warningsOf(document: object) {
  const text = JSON.stringify(document, null, 2)
  const read = await readWorkflow(text, 'a.json')
  assert.ok(!('faults' in read), JSON.stringify(read))
  return workflowWarnings(read.workflow, text, 'a.json')
}
