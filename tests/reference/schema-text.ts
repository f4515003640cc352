import * as z from 'zod'

/** As much of a JSON Schema as ours contain. */
export interface Shape {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean | Shape
  default?: unknown
  description?: string
  format?: string
  minimum?: number
  maximum?: number
  $ref?: string
}

/** One field of an object: how it is written, what it means, what it is when left out. */
export interface Field {
  name: string
  type: string
  /** JSON; null when the field must be given, '' when it may be left out and then is not there. */
  default: string | null
  description: string
}

/** A schema as JSON Schema, the way callers write it. */
export function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape // its own output
}

/** The fields of an object. */
export function fieldsOf({ properties = {}, required = [] }: Shape): Field[] {
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    type: typeText(shape),
    default: shape.default !== undefined ? JSON.stringify(shape.default) : required.includes(name) ? null : '',
    description: shape.description ?? '',
  }))
}

/** The branches of a union; the schema itself when it is none. */
export function branchesOf(shape: Shape): Shape[] {
  return shape.oneOf ?? shape.anyOf ?? [shape]
}

/** A type on one line. What is nested deeper than this shows its names only. */
export function typeText(shape: Shape, depth = 1): string {
  const branches = shape.oneOf ?? shape.anyOf
  if (branches) return [...new Set(branches.map((branch) => typeText(branch, depth)))].join(' | ')
  if (shape.allOf) return shape.allOf.map((part) => typeText(part, depth)).join(' & ')
  if (shape.$ref) return shape.$ref.replace(/^#(\/\$defs\/)?/, '') || 'itself'
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (shape.type === 'array') return listOf(typeText(shape.items ?? {}, depth))
  if (shape.type === 'object') return objectText(shape, depth)
  if (shape.format === 'date-time') return 'time'
  return [shape.type ?? 'anything'].flat().join(' | ')
}

function objectText({ properties, required = [], additionalProperties }: Shape, depth: number): string {
  if (properties === undefined)
    return typeof additionalProperties === 'object' ? `{ NAME: ${typeText(additionalProperties, depth)} }` : 'object'
  const parts = Object.entries(properties).map(([name, shape]) => {
    const key = required.includes(name) && shape.default === undefined ? name : `${name}?`
    return depth > 0 ? `${key}: ${typeText(shape, depth - 1)}` : key
  })
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function listOf(item: string): string {
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}
