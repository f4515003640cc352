import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import * as fc from 'fast-check'
import { Workflow, workflowJsonSchema } from '../domain/workflow/workflow.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

test('[W1] the published JSON Schema is the one the program generates', () => {
  const published: unknown = JSON.parse(readFileSync(new URL('../../schemas/workflow.schema.json', import.meta.url), 'utf8'))

  const generated = workflowJsonSchema()

  assert.deepEqual(published, generated, 'run `troupe workflow schema > schemas/workflow.schema.json`')
})

test('[W1] schema and JSON Schema accept and refuse the same hand-made documents', () => {
  const documents = handMade()

  const verdicts = documents.map(({ document, valid }) => ({ document, valid, ...verdictsOn(document) }))

  assert.ok(verdicts.length >= 60)
  for (const { document, valid, zod, jsonSchema } of verdicts) {
    assert.deepEqual({ zod, jsonSchema }, { zod: valid, jsonSchema: valid }, JSON.stringify(document).slice(0, 400))
  }
})

test('[W1] schema and JSON Schema accept and refuse the same 400 documents changed at random', () => {
  const seen = { accepted: 0, refused: 0 }

  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const document = changes.reduce<Json>((was, apply) => apply(was), classic())
      const { zod, jsonSchema } = verdictsOn(document)
      seen[zod ? 'accepted' : 'refused'] += 1
      assert.equal(zod, jsonSchema, JSON.stringify(document))
    }),
    { numRuns: 400 },
  )

  assert.ok(seen.accepted >= 20, `only ${seen.accepted} were accepted: the changes are too coarse to test anything`)
  assert.ok(seen.refused >= 20, `only ${seen.refused} were refused: the changes are too tame to test anything`)
})

const validate = new AjvJsonSchemaValidator().getValidator(workflowJsonSchema())

function verdictsOn(document: Json): { zod: boolean; jsonSchema: boolean } {
  return { zod: Workflow.safeParse(document).success, jsonSchema: validate(document).valid }
}

function classic(): { [key: string]: Json } {
  return JSON.parse(readFileSync(new URL('../../tests/fixtures/workflows/classic.json', import.meta.url), 'utf8')) as {
    [key: string]: Json
  } // a fixture of ours
}

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, 1, -1, 1.5, 1001, '', 'x', 'abc', 'a-b', 'Upper', 'while', 'loop', 'step', [], {}, ['x'], [{}]),
  fc.integer({ min: 0, max: 10000 }).map((length) => '🎭'.repeat(length)),
  fc.record({ var: fc.string(), equals: fc.jsonValue() as fc.Arbitrary<Json> }),
)

/** One change at a random place: a value replaced, a key removed or added, an item doubled. */
const change = fc
  .tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'add', 'double'), value)
  .map(([pick, kind, fresh]) => (document: Json): Json => {
    const copy = structuredClone(document)
    const places = placesIn(copy)
    const place = places[pick % places.length]
    if (place === undefined) return copy
    const { parent, key } = place
    if (Array.isArray(parent)) {
      if (kind === 'remove') parent.splice(Number(key), 1)
      else if (kind === 'double') parent.push(structuredClone(parent[Number(key)] ?? null))
      else parent[Number(key)] = fresh
      return copy
    }
    if (kind === 'remove') delete parent[key]
    else if (kind === 'add') parent['added'] = fresh
    else parent[key] = fresh
    return copy
  })

function placesIn(at: Json): { parent: Json[] | { [key: string]: Json }; key: string }[] {
  if (typeof at !== 'object' || at === null) return []
  return Object.entries(at).flatMap(([key, inner]) => [{ parent: at, key }, ...placesIn(inner)])
}

const step = { id: 'one', title: 'One', prompt: 'Do one.' }
const base = { id: 'abc', name: 'A', description: 'B', version: '1.0.0', steps: [step] }
const withStep = (more: { [key: string]: Json }): Json => ({ ...base, steps: [{ ...step, ...more }] })
const withLoop = (loop: Json, more: { [key: string]: Json } = {}): Json => ({
  ...base,
  steps: [{ id: 'lll', type: 'loop', title: 'L', loop, body: [step], ...more }],
})

function handMade(): { document: Json; valid: boolean }[] {
  return [...accepted().map((document) => ({ document, valid: true })), ...refused().map((document) => ({ document, valid: false }))]
}

function accepted(): Json[] {
  return [
    base,
    classic(),
    ...['1.0.0', '0.0.1', '1.2.3-alpha.1', '1.2.3+b', '10.20.30-x-y.z+a.b'].map((version) => ({ ...base, version })),
    ...['abc', 'a-b', '123', 'x'.repeat(64)].map((id) => ({ ...base, id })),
    { ...base, formatVersion: 1 },
    Object.fromEntries(Object.entries(base).filter(([name]) => name !== 'version')),
    withStep({ prompt: 'lines\r\nas on\tWindows', guidance: ['\n'] }),
    { ...base, $schema: './schema.json' },
    { ...base, replaces: 'built-in' },
    ...['x'.repeat(10), 'x'.repeat(1024), '🎭'.repeat(1024)].map((agentRole) => withStep({ agentRole })),
    ...[{}, { var: 'a' }, { var: 'a', equals: null }, { and: [] }, { or: [{ not: {} }] }, { equals: 1 }].map((runCondition) =>
      withStep({ runCondition }),
    ),
    ...[true, false, { var: 'x' }].map((requireConfirmation) => withStep({ requireConfirmation })),
    ...[[], [{ type: 'length', message: '', min: 1 }], { not: { type: 'contains', message: 'm' } }].map((validationCriteria) =>
      withStep({ validationCriteria }),
    ),
    withStep({ role: 'code_reviewer', type: 'step', guidance: [] }),
    withLoop({ type: 'for', count: 0, maxIterations: 1 }),
    withLoop({ type: 'for', count: 'n', maxIterations: 1000, condition: {} }),
    withLoop({ type: 'forEach', items: 'things', maxIterations: 1 }),
    withLoop({ type: 'while', condition: {}, maxIterations: 1 }, { body: 'one' }),
  ]
}

function refused(): Json[] {
  return [
    null,
    [],
    'abc',
    {},
    ...['id', 'name', 'description', 'steps'].map((key) => Object.fromEntries(Object.entries(base).filter(([name]) => name !== key))),
    ...['1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0+', ''].map((version) => ({ ...base, version })),
    ...['ab', 'A-B', 'a_b', 'x'.repeat(65), 'abc\n'].map((id) => ({ ...base, id })),
    ...['\u0000', '\u001b[2J', 'a\rb', '\u202e', '\u{E0041}'].flatMap((hidden) => [
      { ...base, name: `x${hidden}` },
      withStep({ guidance: [`x${hidden}`] }),
      withStep({ agentRole: `a role of ten ${hidden}` }),
      withStep({ runCondition: { var: 'a', equals: { deep: [hidden] } } }),
      withStep({ functionCalls: [{ name: 'f', args: { [hidden]: 1 } }] }),
    ]),
    ...[' '.repeat(10), '\u200b'.repeat(10), '\n'.repeat(10)].map((agentRole) => withStep({ agentRole })),
    { ...base, formatVersion: 2 },
    { ...base, formatVersion: '1' },
    { ...base, extra: 1 },
    { ...base, steps: [] },
    { ...base, preconditions: ['a', 'a'] },
    { ...base, metaGuidance: ['x'.repeat(257)] },
    ...[null, '', 'x'.repeat(9), 'x'.repeat(1025), '🎭'.repeat(9), 12].map((agentRole) => withStep({ agentRole })),
    ...[null, true, { var: 1 }, { gt: '1' }, { and: {} }, { not: [] }, { in: [] }].map((runCondition) => withStep({ runCondition })),
    ...[{ and: [] }, {}, { and: [{}] }, [{ type: 'x', message: '' }], [{ type: 'length' }]].map((validationCriteria) =>
      withStep({ validationCriteria }),
    ),
    { ...base, steps: [{ ...step, and: 1 }] },
    withStep({ type: 'parallel' }),
    withStep({ role: 'Code Reviewer' }),
    withStep({ prompt: '' }),
    withStep({ prompt: 'x'.repeat(8193) }),
    withStep({ functionReferences: ['name'] }),
    withLoop({ type: 'for', maxIterations: 1 }),
    withLoop({ type: 'for', count: 1.5, maxIterations: 1 }),
    withLoop({ type: 'forEach', maxIterations: 1 }),
    withLoop({ type: 'while', maxIterations: 1 }),
    withLoop({ type: 'until', condition: {}, maxIterations: 0 }),
    withLoop({ type: 'until', condition: {}, maxIterations: 1001 }),
    withLoop({ type: 'while', condition: {}, maxIterations: 1 }, { body: [] }),
    withLoop({ type: 'while', condition: {}, maxIterations: 1 }, { prompt: 'a loop has none' }),
  ]
}
