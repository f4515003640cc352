import type * as z from 'zod'
import { closest } from './closest.ts'
import { isRecord, quoted, valueAt } from './unknown-value.ts'
import { Problem } from '../problem.ts'

/** One thing that is wrong with a value, in words. */
export interface Misfit {
  path: readonly PropertyKey[]
  /** What is wrong, to be read behind the name of the field. */
  message: string
  /** What would have fitted; null where the schema says it in words of its own, which then are the message. */
  expected: string | null
  /** The name or the word that was probably meant. */
  meant: string | null
}

/** The same as it leaves the process; `path` is '' for the value as a whole. */
export interface SchemaIssue {
  path: string
  message: string
  meant?: string
}

/** A value from outside as its schema has it, or everything that is wrong with it. */
export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { value: z.output<Schema> } | { issues: SchemaIssue[] } {
  const read = readPlaced(schema, value)
  if ('value' in read) return read
  return {
    issues: read.misfits.map(({ path, message, meant }) => ({ path: path.join('.'), message, ...(meant !== null && { meant }) })),
  }
}

/** The same with places that can be looked up in the text the value came from. */
export function readPlaced<Schema extends z.ZodType>(schema: Schema, value: unknown): { value: z.output<Schema> } | { misfits: Misfit[] } {
  // A schema that says it in its own words goes before this; what is left without a message is put into words below.
  const read = schema.safeParse(value, { error: () => '', reportInput: true })
  return read.success ? { value: read.data } : { misfits: read.error.issues.flatMap((issue) => misfitsOf(issue, schema, value)) }
}

/** `done_when is missing`: a field, what is wrong with it, and what was probably meant. */
export function issueText(issue: SchemaIssue): string {
  return issue.path === '' ? issueMessage(issue) : `${issue.path} ${issueMessage(issue)}`
}

/** The same without the name of the field. */
export function issueMessage({ message, meant }: Pick<SchemaIssue, 'message' | 'meant'>): string {
  return meant === undefined ? message : `${message}; did you mean ${meant}?`
}

function misfitsOf(issue: z.core.$ZodIssue, schema: z.ZodType, whole: unknown): Misfit[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField([...path, key], key, fieldsIn(schema, path)))
  if (issue.code === 'invalid_union' && issue.errors.length > 0 && issue.message === '') {
    const [nearest = []] = issue.errors.toSorted((a, b) => deepest(b) - deepest(a))
    return nearest.flatMap((inner) => misfitsOf({ ...inner, path: [...path, ...inner.path] }, schema, whole))
  }
  if (issue.code === 'invalid_key') return issue.issues.flatMap((inner) => misfitsOf({ ...inner, path }, schema, whole))
  if (issue.message !== '') return [inOwnWords(issue, whole)]
  if (issue.code === 'invalid_union') return [wrongForm(issue, wordsIn(schema, path))]
  const { expected, choices = [] } = expectation(issue)
  const meant = typeof issue.input === 'string' ? closest(issue.input, choices) : null
  return [{ path, message: `${found(issue)}; expected ${expected}`, expected, meant }]
}

/** The words of a pattern name what it takes, as in `sqlite:PATH`; those of every other rule are a sentence. */
function inOwnWords(issue: z.core.$ZodIssue, whole: unknown): Misfit {
  const { path, code, message: own } = issue
  if (own.startsWith('must '))
    return { path, message: `${found({ code, input: valueAt(whole, path) })}; it ${own}`, expected: null, meant: null }
  if (code !== 'invalid_format' || own.startsWith('is ')) return { path, message: own, expected: null, meant: null }
  return { path, message: `${found(issue)}; expected ${own}`, expected: own, meant: null }
}

/** The field that says which of several forms is meant says none of them. */
function wrongForm({ path, input }: z.core.$ZodIssue, words: readonly string[]): Misfit {
  const word = isRecord(input) ? input[String(path.at(-1))] : input
  const expected = `one of ${words.join(', ')}`
  const meant = typeof word === 'string' ? closest(word, words) : null
  return { path, message: `${word === undefined ? 'is missing' : `is ${quoted(word)}`}; expected ${expected}`, expected, meant }
}

function unknownField(path: readonly PropertyKey[], key: string, known: readonly string[]): Misfit {
  const meant = closest(key, known)
  const expected = known.length === 0 ? 'no fields' : `one of ${known.join(', ')}`
  const message = meant === null ? `is not a field here; expected ${expected}` : 'is not a field here'
  return { path, message, expected: meant ?? expected, meant }
}

/** A refused union says nothing by itself; what its nearest branch says is what the author needs to read. */
function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length))
}

function found({ code, input }: Pick<z.core.$ZodIssue, 'code' | 'input'>): string {
  if (input === undefined) return 'is missing'
  if (input === '') return 'is empty'
  if (code !== 'too_small' && code !== 'too_big') return `is ${quoted(input)}`
  if (typeof input === 'string') return `has ${Array.from(input).length} characters`
  return Array.isArray(input) ? `has ${input.length} entries` : `is ${quoted(input)}`
}

function expectation(issue: z.core.$ZodIssue): { expected: string; choices?: string[] } {
  switch (issue.code) {
    case 'invalid_type':
      return { expected: kinds[issue.expected] ?? issue.expected }
    case 'invalid_value': {
      const choices = issue.values.map(String)
      return { expected: choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`, choices }
    }
    case 'too_small':
      return {
        expected:
          issue.input === '' && issue.minimum === 1 ? 'some text' : `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`,
      }
    case 'too_big':
      return { expected: `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}` }
    case 'invalid_format':
      return { expected: issue.pattern === undefined ? `a valid ${issue.format}` : `text that matches ${issue.pattern}` }
    default:
      return { expected: 'something else' }
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
}

function unitOf(origin: string, count: number | bigint): string {
  const one = Number(count) === 1
  return { string: one ? ' character' : ' characters', array: one ? ' entry' : ' entries' }[origin] ?? ''
}

/** A value from outside as a schema has it, or a refusal that says what it is not and names every field that is wrong. */
export function fitting<Schema extends z.ZodType>(schema: Schema, value: unknown, refusal: string): z.output<Schema> {
  const read = readValue(schema, value)
  if ('value' in read) return read.value
  const faults = read.issues.map(issueText)
  throw new Problem('bad_input', `${refusal}: ${faults.join('; ')}`, { details: { faults } })
}

/** What is wrong with a value, field by field; nothing where it fits. */
export function misfits(schema: z.ZodType, value: unknown): string[] {
  const read = readValue(schema, value)
  return 'value' in read ? [] : read.issues.map(issueText)
}

/** What of a schema leads further into it. */
interface Inner {
  type: string
  shape?: Readonly<Record<string, z.ZodType>>
  element?: z.ZodType
  valueType?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
  values?: readonly unknown[]
  items?: readonly z.ZodType[]
  getter?: () => z.ZodType
}

/** The names of the fields that a schema has at a place, whichever of its forms is meant. */
function fieldsIn(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(formsAt(schema, path).flatMap((place) => Object.keys(innerOf(place).shape ?? {})))]
}

/** The words that a schema takes at a place, where it takes only a few. */
function wordsIn(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(formsAt(schema, path).flatMap((place) => (innerOf(place).values ?? []).map(String)))]
}

function formsAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly z.ZodType[] {
  return path.reduce((at: readonly z.ZodType[], key) => at.flatMap((each) => stepInto(each, key)), formsOf(schema))
}

/** A schema without what is wrapped around it; of a union, all of its forms. */
function formsOf(schema: z.ZodType): z.ZodType[] {
  const { innerType, getter, options, in: before, out, type } = innerOf(schema)
  if (options !== undefined) return options.flatMap(formsOf)
  const inside = innerType ?? getter?.() ?? (type === 'pipe' ? (isTransform(before) ? out : before) : undefined)
  return inside === undefined ? [schema] : formsOf(inside)
}

function stepInto(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  const { shape, element, valueType, items } = innerOf(schema)
  const next = typeof key === 'string' ? (shape?.[key] ?? valueType) : (element ?? (typeof key === 'number' ? items?.[key] : undefined))
  return next === undefined ? [] : formsOf(next)
}

function isTransform(schema: z.ZodType | undefined): boolean {
  return schema !== undefined && innerOf(schema).type === 'transform'
}

function innerOf(schema: z.ZodType): Inner {
  const def: object = schema._zod.def
  return def as Inner // the definition of every kind of schema has some of these, and its type
}
