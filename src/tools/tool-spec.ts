import * as z from 'zod'
import { isRecord } from '../domain/text/unknown-value.ts'
import type { ToolSpec } from '../providers/provider.ts'
import type { Tool } from './tool.ts'

/**
 * Limits the gate enforces and explains anyway, and what holds where a field is left out. Telling them with every request would cost a third
 * of the tokens; a default that a model has to know is in the tool's description.
 */
const untold = ['minLength', 'maxLength', 'minItems', 'minimum', 'maximum', 'exclusiveMinimum', 'pattern', 'default'] as const

const schemas = new WeakMap<z.ZodType, ToolSpec['input_schema']>()

/** A tool as the model is told of it. */
export function toolSpec({ name, description, input }: Tool): ToolSpec {
  return { name, description, input_schema: schemaOf(input) }
}

/** Kept, because making a JSON Schema again each turn would cost more than the turn's own work. */
function schemaOf(input: z.ZodType): ToolSpec['input_schema'] {
  const known = schemas.get(input)
  if (known !== undefined) return known
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const limit of untold) delete jsonSchema[limit]
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (isUntold(property)) delete schema.properties?.[name]
  }
  schemas.set(input, schema)
  return schema
}

/** What can have only one value, and what its declaration marks as seldom wanted; both are taken where a model sends them all the same. */
function isUntold(property: unknown): boolean {
  return isRecord(property) && ('const' in property || property['untold'] === true)
}
