import type * as z from 'zod'

/** How a field is given as text: on a command line or in the query of an address. */
export interface FieldKind {
  kind: 'text' | 'number' | 'flag' | 'list' | 'document'
  /** The words it takes, where it takes only a few. */
  choices: readonly string[]
  required: boolean
  nullable: boolean
  description: string
}

/** Reads from a schema how a person types its value; what has fields of its own is a document. */
export function fieldKind(schema: z.ZodType): FieldKind {
  const { type, ...def } = (schema as unknown as z.core.$ZodTypes)._zod.def as { type: string; innerType?: z.ZodType; entries?: object } // every schema of zod is one of these
  if (def.innerType !== undefined) {
    const inner = fieldKind(def.innerType)
    const description = schema.description ?? inner.description
    return { ...inner, description, required: inner.required && !leavable.includes(type), nullable: inner.nullable || type === 'nullable' }
  }
  const base = {
    choices: Object.values(def.entries ?? {}).map(String),
    required: true,
    nullable: false,
    description: schema.description ?? '',
  }
  return { ...base, kind: kindOf(schema, type) }
}

/** A field as its schema takes it, from the word or words somebody typed. What cannot be converted is left for the schema to refuse. */
export function valueFromText({ kind, nullable }: FieldKind, typed: string | readonly string[] | boolean): unknown {
  if (typeof typed === 'boolean') return typed
  if (kind === 'list') return typeof typed === 'string' ? [typed] : typed
  const word = typeof typed === 'string' ? typed : typed.join(' ')
  if (nullable && word === 'none') return null
  if (kind === 'number') return word.trim() === '' || Number.isNaN(Number(word)) ? word : Number(word)
  if (kind === 'flag') return word === 'true' ? true : word === 'false' ? false : word
  return word
}

const leavable = ['optional', 'default', 'prefault']

function kindOf(schema: z.ZodType, type: string): FieldKind['kind'] {
  if (type === 'boolean') return 'flag'
  if (type === 'number' || type === 'int') return 'number'
  if (type === 'array') return hasFields((schema as z.ZodArray<z.ZodType>).element) ? 'document' : 'list'
  return hasFields(schema) ? 'document' : 'text'
}

function hasFields(schema: z.ZodType): boolean {
  const { type } = schema._zod.def
  return type === 'object' || type === 'record' || type === 'union'
}
