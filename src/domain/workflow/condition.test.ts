import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Condition, judgeCondition } from './condition.ts'

// oxfmt-ignore
const table: [Condition, Record<string, unknown>, boolean | 'unknown'][] = [
  [{},                                                  {},                    true],
  [{ var: 'a' },                                        { a: 1 },              true],
  [{ var: 'a' },                                        { a: '' },             false],
  [{ var: 'a' },                                        {},                    'unknown'],
  [{ var: 'toString' },                                 {},                    'unknown'],
  [{ var: 'a', equals: 'Large' },                       { a: 'Large' },        true],
  [{ var: 'a', equals: 'Large' },                       { a: 'large' },        'unknown'],
  [{ var: 'a', not_equals: 'Large' },                   { a: ' Large' },       'unknown'],
  [{ or: [{ var: 'a', equals: 'Large' }, { var: 'a', equals: 'large' }] }, { a: 'large' }, true],
  [{ var: 'a', equals: null },                          { a: null },           true],
  [{ var: 'a', equals: null },                          {},                    'unknown'],
  [{ var: 'a', equals: [1, { b: 2, c: 3 }] },           { a: [1, { c: 3, b: 2 }] }, true],
  [{ var: 'a', equals: {} },                            { a: [] },             false],
  [{ var: 'a', not_equals: 1 },                         { a: 2 },              true],
  [{ var: 'a', not_equals: 1 },                         {},                    'unknown'],
  [{ var: 'a', gt: 1 },                                 { a: 1 },              false],
  [{ var: 'a', gte: 1 },                                { a: 1 },              true],
  [{ var: 'a', lt: 1 },                                 { a: '0' },            false],
  [{ var: 'a', lte: 1 },                                { a: 1 },              true],
  [{ var: 'a', gte: 1, lte: 5 },                        { a: 9 },              false],
  [{ var: 'a', equals: 1, and: [{ var: 'b' }] },        { a: 1, b: false },    false],
  [{ and: [] },                                         {},                    true],
  [{ or: [] },                                          {},                    false],
  [{ and: [{ var: 'a' }, { var: 'b' }] },               { a: false },          false],
  [{ and: [{ var: 'a' }, { var: 'b' }] },               { a: true },           'unknown'],
  [{ or: [{ var: 'a' }, { var: 'b' }] },                { a: true },           true],
  [{ or: [{ var: 'a' }, { var: 'b' }] },                { a: false },          'unknown'],
  [{ not: { var: 'a' } },                               { a: false },          true],
  [{ not: { var: 'a' } },                               {},                    'unknown'],
]

test('[W6] every operator is judged in three values', () => {
  for (const [condition, context, expected] of table) {
    const judged = judgeCondition(condition, context)

    assert.equal(judged.holds, expected, `${JSON.stringify(condition)} of ${JSON.stringify(context)}: ${judged.why}`)
  }
})

test('[W6] an unknown condition names every variable that is missing', () => {
  const judged = judgeCondition({ and: [{ var: 'a' }, { or: [{ var: 'b' }, { var: 'c' }] }] }, { c: false })

  assert.deepEqual(judged.missing, ['a', 'b'])
})

test('[W6] a value that differs only in case or spaces is asked about, by name and with the reason', () => {
  const { holds, missing, why } = judgeCondition({ var: 'size', equals: 'Large' }, { size: 'large' })

  assert.deepEqual([holds, missing], ['unknown', ['size']])
  assert.match(why, /"large".*"Large".*case or spaces/)
})
