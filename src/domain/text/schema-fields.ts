import type * as z from 'zod'

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
export function fieldsIn(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(formsAt(schema, path).flatMap((place) => Object.keys(innerOf(place).shape ?? {})))]
}

/** The words that a schema takes at a place, where it takes only a few. */
export function wordsIn(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
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
