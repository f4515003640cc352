import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import type { ValidationCriteria } from '../domain/workflow/criteria.ts'
import { validateOutput } from './validate-output.ts'

const contains = (value: string, more: object = {}) => ({ type: 'contains' as const, value, message: `say ${value}`, ...more })

// oxfmt-ignore
const table: [string, ValidationCriteria | undefined, string, string[]][] = [
  ['no criteria, blank',        undefined,                                                               ' \n',      ['The output is empty.']],
  ['no criteria, text',         undefined,                                                               'x',        []],
  ['all rules must hold',       [contains('a'), contains('b')],                                          'c',        ['say a', 'say b']],
  ['regex with flags',          [{ type: 'regex', pattern: '^X', flags: 'im', message: 'x' }],           'a\nx',     []],
  ['length below',              [{ type: 'length', min: 3, message: 'longer' }],                         'ab',       ['longer']],
  ['length above, no message',  [{ type: 'length', max: 1, message: '' }],                               'ab',       ['The output must have 0 to 1 characters.']],
  ['and keeps every message',   { and: [contains('a'), { or: [contains('b'), contains('c')] }] },        'x',        ['say a', 'Either: say b', 'Either: say c']],
  ['or is met by one',          { or: [contains('a'), contains('b')] },                                  'b',        []],
  ['not keeps the message',     { not: contains('a') },                                                  'a',        ['Must not hold: say a']],
  ['not of not',                { not: { not: contains('a') } },                                         'a',        []],
  ['a skipped rule under not',  { not: contains('a', { condition: { var: 'large' } }) },                 'a',        []],
]

test('[W18] every kind of rule and composition is judged, and no message of the author is lost', async () => {
  for (const [name, criteria, output, issues] of table) {
    const verdict = await validateOutput(criteria, output, { large: false })

    assert.deepEqual([verdict.valid, verdict.issues], [issues.length === 0, issues], name)
    assert.equal(verdict.suggestions.length > 0, !verdict.valid, name)
  }
})

test('[W18] a schema rule says what does not fit', async () => {
  const criteria = [
    {
      type: 'schema' as const,
      message: 'a plan',
      schema: { type: 'object', required: ['goal'], properties: { goal: { type: 'string' } } },
    },
  ]

  const verdicts = await Promise.all(['{"goal":"x"}', '{"goal":1}', 'goal'].map((output) => validateOutput(criteria, output, {})))

  assert.deepEqual(each(verdicts, 'valid'), [true, false, false])
  assert.match(verdicts[1]?.issues[0] ?? '', /^a plan \(.*goal.*string\)$/)
  assert.equal(verdicts[2]?.issues[0], 'a plan (the output is not JSON)')
})

test('[W19] a rule with a condition is judged by the context, and asks for a variable it lacks', async () => {
  const criteria = [contains('design', { condition: { var: 'size', equals: 'Large' } })]

  const [applies, doesNot, unknown] = await Promise.all(
    [{ size: 'Large' }, { size: 'Small' }, {}].map((context) => validateOutput(criteria, 'text', context)),
  )

  assert.deepEqual([applies?.issues, doesNot?.issues], [['say design'], []])
  assert.match(unknown?.issues[0] ?? '', /^Send size in context; .*: say design$/)
  assert.deepEqual((await validateOutput({ not: { and: criteria } }, 'text', {})).issues, unknown?.issues)
})

test('[W18] a schema that cannot be judged by fails its criterion with the reason, and so does its opposite', async () => {
  const unusable = [{ type: 'bogus' }, { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { anyOf: [{ $ref: '#/$defs/b' }] } } }]
  const rules = unusable.map((schema) => ({ type: 'schema' as const, schema, message: 'a plan' }))
  const criteria = rules.flatMap((rule): ValidationCriteria[] => [{ and: [rule] }, { not: { or: [rule] } }])

  const verdicts = await Promise.all(criteria.map((judged) => validateOutput(judged, '{"a":1}', {})))

  const [bogus, endless] = ['type must be JSONType or JSONType[]: bogus', 'its $ref leads deeper than anybody can follow']
  assert.deepEqual(
    verdicts.map(({ issues }) => issues.map((issue) => issue.replace('Either: ', ''))),
    [bogus, bogus, endless, endless].map((why) => [`a plan (its JSON Schema cannot be used: ${why})`]),
  )
})

test('[W20] a pattern that would take for ever is stopped and named, in a rule and inside a JSON Schema', async () => {
  const evil = '^(a+)+$'
  const output = `${'a'.repeat(60)}!`

  const attempts = await Promise.allSettled([
    validateOutput([{ type: 'regex', pattern: evil, message: 'only a' }], output, {}),
    validateOutput([{ type: 'schema', schema: { type: 'string', pattern: evil }, message: 'only a' }], JSON.stringify(output), {}),
  ])

  for (const attempt of attempts) {
    assert.equal(attempt.status, 'rejected')
    assert.match(String(attempt.reason), /rule "only a" took longer than \d+ ms and was stopped/)
  }
})
