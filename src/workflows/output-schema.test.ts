import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWorkflow } from './files/read.ts'

const DIALECT = 'http://json-schema.org/draft-04/schema#'

// oxfmt-ignore
const unusable: [object, string][] = [
  [{ type: 'bogus' },                    'type must be JSONType or JSONType[]: bogus'],
  [{ $ref: '#' },                        'its $ref leads deeper than anybody can follow'],
  [{ $ref: 'https://example.com/plan' }, "can't resolve reference https://example.com/plan from id #"],
  [{ pattern: '(' },                     'Invalid regular expression: /(/u: Unterminated group'],
  [{ required: 'a' },                    'required value must be ["array"]'],
  [{ $schema: DIALECT },                 `JSON Schema declares an unsupported dialect ("$schema": "${DIALECT}"). The default validator supports`],
]

test('[W5] a JSON Schema that no output could be judged by is a fault of the file, which names its step', async () => {
  for (const [schema, why] of unusable) {
    const step = { id: 'judged', title: 'J', prompt: 'P', validationCriteria: { not: { type: 'schema', schema, message: 'm' } } }
    const loop = {
      id: 'lll',
      type: 'loop',
      title: 'L',
      loop: { type: 'for', count: 1, maxIterations: 1 },
      body: [{ ...step, id: 'inner' }],
    }
    const text = JSON.stringify({ id: 'example', name: 'E', description: 'E', version: '1.0.0', steps: [step, loop] }, null, 2)

    const read = await readWorkflow(text, 'example.json')

    const [first, second] = 'faults' in read ? read.faults : []
    assert.deepEqual([first?.line, first?.field], [14, 'steps.0.validationCriteria.not.schema'])
    assert.deepEqual(second?.field, 'steps.1.body.0.validationCriteria.not.schema')
    assert.ok(first?.problem.startsWith(`the JSON Schema of step "judged" cannot be used: ${why}`), first?.problem)
    assert.ok(second?.problem.startsWith(`the JSON Schema of step "inner" cannot be used: ${why}`), second?.problem)
    assert.doesNotMatch(first?.problem ?? '', /Ajv/)
  }
})
