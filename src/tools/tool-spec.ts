import * as z from 'zod'
import type { ToolSpec } from '../providers/provider.ts'
import type { Tool } from './tool.ts'

/** Limits the gate enforces and explains anyway; telling them with every request would cost a third of the tokens. */
const untold = ['minLength', 'maxLength', 'minItems', 'minimum', 'maximum', 'exclusiveMinimum', 'pattern'] as const

const specs = new WeakMap<Tool, ToolSpec>()

/** A tool as the model is told of it. Kept, because making a JSON Schema anew each turn would cost more than the turn's own work. */
export function toolSpec(tool: Tool): ToolSpec {
  const known = specs.get(tool)
  if (known !== undefined) return known
  const { $schema: _, ...input_schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const limit of untold) delete jsonSchema[limit]
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (['""', '[]', 'null'].includes(JSON.stringify(jsonSchema.default))) delete jsonSchema.default
    },
  })
  const spec = { name: tool.name, description: tool.description, input_schema }
  specs.set(tool, spec)
  return spec
}
