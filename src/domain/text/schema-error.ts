import type * as z from 'zod'
import { closest } from './closest.ts'
import { quoted } from './unknown-value.ts'

/** One thing that is wrong with a value, and the field it is about; '' for the value as a whole. */
export interface SchemaIssue {
  path: string
  message: string
}

/** A value from outside as its schema has it, or everything that is wrong with it. */
export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { value: z.output<Schema> } | { issues: SchemaIssue[] } {
  const read = schema.safeParse(value, { error: sayIssue })
  if (read.success) return { value: read.data }
  return { issues: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) }
}

/** `done_when is missing`: a field and what is wrong with it. */
export function issueText({ path, message }: SchemaIssue): string {
  return path === '' ? message : `${path} ${message}`
}

/** What is wrong, to be read behind the name of the field. A schema that says it in its own words is not asked. */
function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const found = issue.input === undefined ? 'is missing' : `is ${quoted(issue.input)}`
  switch (issue.code) {
    case 'invalid_type':
      return `${found}; expected ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `${found}; expected ${choiceOf(issue.values.map(String), issue.input)}`
    case 'unrecognized_keys':
      return issue.keys.map((key) => `has no field ${quoted(key)}${meantIn(key, fieldsOf(issue.inst))}`).join('; ')
    case 'too_small':
      return `${sizeOf(issue.input)}; expected at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `${sizeOf(issue.input)}; expected at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'invalid_format':
      return `${found}; expected ${issue.pattern === undefined ? `a valid ${issue.format}` : `text that matches ${issue.pattern}`}`
    case 'invalid_union':
      return `${found}, which fits none of the forms this takes`
    default:
      return undefined
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

function choiceOf(values: readonly string[], found: unknown): string {
  const list = values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
  return typeof found === 'string' ? `${list}${meantIn(found, values)}` : list
}

function meantIn(word: string, known: readonly string[]): string {
  const meant = closest(word, known)
  return meant === null ? '' : `; did you mean ${meant}?`
}

function fieldsOf(schema: z.core.$ZodType | z.core.$ZodCheck | undefined): string[] {
  const def: object | undefined = schema?._zod.def
  return def !== undefined && 'shape' in def ? Object.keys(def.shape as object) : [] // only object schemas have a shape
}

function sizeOf(input: unknown): string {
  if (typeof input === 'string') return `has ${Array.from(input).length} characters`
  if (Array.isArray(input)) return `has ${input.length} entries`
  return `is ${quoted(input)}`
}

function unitOf(origin: string): string {
  return { string: ' characters', array: ' entries' }[origin] ?? ''
}
