import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { issueText, readPlaced, readValue } from './schema-error.ts'

const Step = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shell').optional(), run: z.string().min(1) }),
  z.strictObject({ kind: z.literal('loop'), rounds: z.int().max(5) }),
])
const Settings = z.strictObject({
  name: z.string().regex(/^[a-z]+$/, 'lower-case letters'),
  colour: z.enum(['red', 'blue']).optional(),
  tags: z.array(z.string()).max(2).optional(),
  limit: z.union([z.boolean(), z.strictObject({ turns: z.int() })]).optional(),
  level: z
    .number()
    .refine((value) => value % 2 === 0, 'must be even')
    .optional(),
  steps: z.array(Step).default([]),
  keys: z.record(z.string().regex(/^[A-Z]+$/, 'capital letters'), z.string()).optional(),
})

// oxfmt-ignore
const wrong: readonly { given: unknown; path: string; says: RegExp; meant?: string }[] = [
  { given: {},                                            path: 'name',           says: /^is missing; expected text$/ },
  { given: { name: 7 },                                   path: 'name',           says: /^is 7; expected text$/ },
  { given: { name: 'A' },                                 path: 'name',           says: /^is "A"; expected lower-case letters$/ },
  { given: { name: 'a', color: 'red' },                   path: 'color',          says: /not a field/, meant: 'colour' },
  { given: { name: 'a', colour: 'bleu' },                 path: 'colour',         says: /^is "bleu"; expected one of red, blue$/, meant: 'blue' },
  { given: { name: 'a', tags: ['a', 'b', 'c'] },          path: 'tags',           says: /^has 3 entries; expected at most 2 entries$/ },
  { given: { name: 'a', tags: 'a' },                      path: 'tags',           says: /^is "a"; expected a list$/ },
  { given: { name: 'a', level: 3 },                       path: 'level',          says: /^is 3; it must be even$/ },
  { given: { name: 'a', limit: { trns: 3, turns: 1 } },   path: 'limit.trns',     says: /not a field/, meant: 'turns' },
  { given: { name: 'a', limit: { turns: 'x' } },          path: 'limit.turns',    says: /^is "x"; expected a number$/ },
  { given: { name: 'a', steps: [{ run: '' }] },           path: 'steps.0.run',    says: /^is empty; expected some text$/ },
  { given: { name: 'a', steps: [{ kind: 'lop' }] },       path: 'steps.0.kind',   says: /^is "lop"; expected one of shell, loop$/, meant: 'loop' },
  { given: { name: 'a', steps: [{ kind: 'loop', rounds: 1, round: 2 }] }, path: 'steps.0.round', says: /not a field/, meant: 'rounds' },
  { given: { name: 'a', keys: { low: 'x' } },             path: 'keys.low',       says: /^is "low"; expected capital letters$/ },
  { given: 'text',                                        path: '',               says: /^is "text"; expected an object$/ },
]

test('[C98] whatever does not fit is told with its place, what came, what would fit and what was probably meant', () => {
  for (const { given, path, says, meant } of wrong) {
    const read = readValue(Settings, given)
    const [issue] = 'issues' in read ? read.issues : []

    assert.equal(issue?.path, path, JSON.stringify(given))
    assert.match(issue.message, says)
    assert.equal(issue.meant, meant, JSON.stringify(given))
    assert.equal(issueText(issue).endsWith(`did you mean ${meant}?`), meant !== undefined)
  }
})

test('[C98] every wrong field is told at once, and a place can be looked up', () => {
  const read = readPlaced(Settings, { nmae: 'a', steps: [{ run: 7 }] })

  assert.ok('misfits' in read)
  assert.deepEqual(
    read.misfits.map(({ path }) => path),
    [['name'], ['steps', 0, 'run'], ['nmae']],
  )
})

test('[C98] what fits is handed back with its defaults', () => {
  assert.deepEqual(readValue(Settings, { name: 'a' }), { value: { name: 'a', steps: [] } })
})
