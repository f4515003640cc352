import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workflowFaults } from './faults.ts'
import { Step, Workflow } from './workflow.ts'

const step = (id: string, more: object = {}) => ({ id, title: id, prompt: `Do ${id}.`, ...more })
const loop = (id: string, body: unknown) => ({ id, type: 'loop', title: id, loop: { type: 'for', count: 1, maxIterations: 1 }, body })

// oxfmt-ignore
const faulty: [string, unknown[], string, string][] = [
  ['an id used twice',           [step('one'), step('one')],                                                            'steps.1.id',     'the id "one" is used twice'],
  ['an inner id used twice',     [step('one'), loop('lll', [step('one')])],                                             'steps.1.body.0.id', 'the id "one" is used twice'],
  ['a body that is not there',   [step('one'), loop('lll', 'on-')],                                                     'steps.1.body',   'no step has the id "on-"'],
  ['a loop that is its body',    [step('one'), loop('lll', 'lll')],                                                     'steps.1.body',   'a loop cannot be the body of a loop'],
  ['an operator without var',    [step('one', { runCondition: { not: { equals: 1 } } })],                               'steps.0.runCondition.not.equals', 'equals needs a "var" beside it'],
  ['a contains without value',   [step('one', { validationCriteria: [{ type: 'contains', message: 'm' }] })],           'steps.0.validationCriteria.0', 'a rule of type contains needs "value"'],
  ['a regex without pattern',    [step('one', { validationCriteria: { or: [{ type: 'regex', message: 'm' }] } })],      'steps.0.validationCriteria.or.0', 'a rule of type regex needs "pattern"'],
  ['a length nobody can meet',   [step('one', { validationCriteria: [{ type: 'length', min: 5, max: 2, message: 'm' }] })], 'steps.0.validationCriteria.0', 'min 5 is more than max 2'],
  ['a pattern that does not compile', [step('one', { validationCriteria: [{ type: 'regex', pattern: '(', message: 'm' }] })], 'steps.0.validationCriteria.0.pattern', 'Invalid regular expression: /(/: Unterminated group'],
  ['a function nobody defined',  [step('one', { functionCalls: [{ name: 'greet', args: {} }] })],                       'steps.0.functionCalls.0.name', 'no function "greet" is defined here'],
  ['a call without its argument', [step('one', { functionDefinitions: [{ name: 'f', definition: 'd', parameters: [{ name: 'x', type: 'number', required: true }] }], functionCalls: [{ name: 'f', args: {} }] })], 'steps.0.functionCalls.0.args', 'f needs "x"'],
  ['an argument of another type', [step('one', { functionDefinitions: [{ name: 'f', definition: 'd', parameters: [{ name: 'x', type: 'number' }] }], functionCalls: [{ name: 'f', args: { x: [] } }] })], 'steps.0.functionCalls.0.args.x', '"x" must be of type number, not array'],
]

test('[W5] what a schema cannot say is reported with its place, what is wrong and what would be right', () => {
  for (const [name, steps, path, message] of faulty) {
    const faults = workflowFaults(Workflow.parse({ id: 'example', name: 'E', description: 'E', version: '1.0.0', steps }))

    assert.deepEqual(
      faults.map((fault) => [fault.path.join('.'), fault.message]),
      [[path, message]],
      name,
    )
    assert.ok((faults[0]?.fix.length ?? 0) > 0)
  }
})

test('[W3] agentRole may be absent and holds 10 to 1024 characters', () => {
  const roles = [{}, ...['x'.repeat(9), 'x'.repeat(10), 'x'.repeat(1024), 'x'.repeat(1025), null].map((agentRole) => ({ agentRole }))]

  const verdicts = roles.map((role) => Step.safeParse({ ...step('one'), ...role }).success)

  assert.deepEqual(verdicts, [true, false, true, true, false, false])
})
