import * as fc from 'fast-check'
import type { Condition } from '../domain/workflow/condition.ts'
import { Workflow } from '../domain/workflow/workflow.ts'

const variable = fc.constantFrom('a', 'b', 'c')

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

const confirmed = fc.oneof(fc.boolean(), condition)
const plain = fc.record({ runCondition: condition, requireConfirmation: confirmed }, { requiredKeys: [] })

const how = fc.oneof(
  fc.record({ type: fc.constantFrom('while', 'until'), condition, maxIterations: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant('for'), count: fc.oneof(fc.nat(4), variable), maxIterations: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constant('forEach'), items: variable, maxIterations: fc.integer({ min: 1, max: 5 }) }),
)
const loop = fc.record(
  { loop: how, body: fc.array(plain, { minLength: 1, maxLength: 3 }), requireConfirmation: confirmed },
  { requiredKeys: ['loop', 'body'] },
)

/** A workflow with conditions, loops and confirmations, over the variables of `randomContext`. */
export const randomWorkflow: fc.Arbitrary<Workflow> = fc.array(fc.oneof(plain, loop), { minLength: 1, maxLength: 6 }).map((drawn) => {
  const steps = drawn.map((part, at) => {
    if (!('loop' in part)) return named(`step-${at}`, part)
    return { ...part, id: `loop-${at}`, type: 'loop', title: 'L', body: part.body.map((inner, n) => named(`body-${at}-${n}`, inner)) }
  })
  return Workflow.parse({ id: 'drawn', name: 'Drawn', description: 'Drawn at random.', version: '1.0.0', steps })
})

/** A value for one of the variables. */
export const randomValue = fc.oneof(fc.boolean(), fc.nat(4), fc.array(fc.nat(2), { maxLength: 3 }))

/** Some of the variables. */
export const randomContext: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(variable, randomValue)

function named(id: string, more: object) {
  return { id, title: 'T', prompt: 'P', ...more }
}
