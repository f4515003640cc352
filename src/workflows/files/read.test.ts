import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkflowFault } from '../../domain/workflow/faults.ts'
import { readWorkflow } from './read.ts'
import { validateOutput } from '../validate-output.ts'

const step = { id: 'one', title: 'One', prompt: 'Do one.' }
const base = { id: 'abc', name: 'A', description: 'B', version: '1.0.0', steps: [step] }
const withStep = (more: object) => ({ ...base, steps: [{ ...step, ...more }] })

test('[W2] a reference to a function nobody defined does not keep a classic file from loading; a call of one does', async () => {
  const referring = await faultsOf(withStep({ functionReferences: ['initReviewDoc()'] }))
  const calling = await faultsOf(withStep({ functionCalls: [{ name: 'initReviewDoc', args: {} }] }))

  assert.deepEqual([referring.length, calling.length], [0, 1])
})

const rule = (pattern: string, flags?: string) => [
  { type: 'regex' as const, message: 'No.', pattern, ...(flags !== undefined && { flags }) },
]

const meets = async (pattern: string, output: string, flags?: string) =>
  (await validateOutput(rule(pattern, flags), output, {})).valid &&
  (await faultsOf(withStep({ validationCriteria: rule(pattern, flags) }))).length === 0

test('[W2] a pattern that begins with (?i), (?s) or (?m) is read as the flag', async () => {
  const verdicts = [
    await meets('(?i)risk', 'The RISK is low'),
    await meets('(?i)risk', 'nothing'),
    await meets('(?is)^a.b$', 'A\nB'),
    await meets('(?m)^two$', 'one\ntwo'),
    await meets('(?i)risk', 'RISK', 'i'),
  ]

  assert.deepEqual(verdicts, [true, false, true, true, true])
})

test('[W2] a file without a version loads as 0.0.0', async () => {
  const { version: _, ...without } = base

  const read = await readWorkflow(JSON.stringify(without), 'a.json')

  assert.ok(!('faults' in read))
  assert.equal(read.workflow.version, '0.0.0')
})

test('[W102] a file of another format is named as such, in one fault', async () => {
  const v2 = {
    ...base,
    id: 'wr.discovery',
    features: ['x'],
    steps: [{ id: 'one', title: 'One', promptBlocks: { goal: 'G' } }, { id: 'two' }],
  }
  const inner = { type: 'loop', id: 'lll', title: 'L', loop: { type: 'while', conditionSource: {}, maxIterations: 1 }, body: [step] }
  const actions = { name: 'CI', on: 'push', jobs: { build: {} } }

  const faults = [await faultsOf(v2), await faultsOf({ ...base, steps: [inner] }), await faultsOf(actions)]

  assert.deepEqual(
    faults.map((found) => found.map(({ problem }) => /WorkRail v2|GitHub Actions/.exec(problem)?.[0])),
    [['WorkRail v2'], ['WorkRail v2'], ['GitHub Actions']],
  )
  assert.match(faults[0]?.[0]?.problem ?? '', /features, promptBlocks/)
})

// oxfmt-ignore
const misspelt: readonly [object, string, string][] = [
  [withStep({ agentrole: 'Act as a reviewer.' }),                                  'steps.0.agentrole',          'agentRole'],
  [withStep({ runCondition: { var: 'x', equal: 1 } }),                             'steps.0.runCondition.equal', 'equals'],
  [withStep({ type: 'lop' }),                                                      'steps.0.type',               'loop'],
  [withStep({ validationCriteria: [{ type: 'length', message: 'm', mim: 1 }] }),   'steps.0.validationCriteria.0.mim', 'min'],
  [{ ...base, stepz: [] },                                                         'stepz',                      'steps'],
  [{ ...base, steps: [{ id: 'lll', type: 'loop', title: 'L', body: [step], loop: { type: 'wile', maxIterations: 1 } }] }, 'steps.0.loop.type', 'while'],
]

test('[W102] a misspelt field or type is answered with the one that was probably meant', async () => {
  for (const [document, field, meant] of misspelt) {
    const found = (await faultsOf(document)).find((fault) => fault.field === field)
    assert.equal(found?.fix, `did you mean ${meant}?`, JSON.stringify(await faultsOf(document)))
  }
})

test('[W102] a text of the wrong length is told how long it is, and a version that is a number how to write it', async () => {
  const [long] = await faultsOf(withStep({ agentRole: 'x'.repeat(1025) }))
  const [short] = await faultsOf(withStep({ agentRole: '🎭'.repeat(9) }))
  const [version] = await faultsOf('id: abc\nname: A\ndescription: B\nversion: 1.0\nsteps:\n  - {id: one, title: One, prompt: Do}\n')

  assert.deepEqual([long?.problem, short?.problem], ['is 1025 characters; at most 1024', 'is 9 characters; at least 10'])
  assert.match(version?.problem ?? '', /"1\.0\.0"/)
})

test('[W3] a role that nobody could read is refused: spaces, line breaks, characters without width', async () => {
  for (const character of [' ', '\n', '\u200b', '\u00ad', '\u2060', '\ufeff', '\u3000']) {
    const found = await faultsOf(withStep({ agentRole: character.repeat(12) }))
    assert.deepEqual(
      found.map(({ field }) => field),
      ['steps.0.agentRole'],
      JSON.stringify(character),
    )
  }
})

async function faultsOf(document: object | string): Promise<readonly WorkflowFault[]> {
  const read = await (typeof document === 'string' ? readWorkflow(document, 'a.yaml') : readWorkflow(JSON.stringify(document), 'a.json'))
  return 'faults' in read ? read.faults : []
}
