import * as z from 'zod'
import { quoted, valueAt } from '../domain/text/unknown-value.ts'
import type { Tool } from './tool.ts'

/** Why arguments were refused: which field, what came, what would fit; then all the tool takes. */
export function inputMistakes(tool: Tool, input: unknown, error: z.ZodError): string {
  const mistakes = error.issues.map((issue) => {
    const field = issue.path.length === 0 ? 'the arguments' : issue.path.map(String).join('.')
    return `${field}: ${issue.message}; what came was ${quoted(valueAt(input, issue.path))}`
  })
  return `${tool.name} cannot use these arguments. ${mistakes.join('. ')}. It takes ${fieldsOf(tool)}`
}

const Fields = z.object({
  properties: z.record(z.string(), z.object({ type: z.union([z.string(), z.array(z.string())]).optional() })).default({}),
  required: z.array(z.string()).default([]),
})

function fieldsOf(tool: Tool): string {
  const { properties, required } = Fields.parse(z.toJSONSchema(tool.input, { io: 'input' }))
  const fields = Object.entries(properties).map(([name, { type }]) => {
    return `${name} (${[type ?? 'value'].flat().join(' or ')}${required.includes(name) ? '' : ', optional'})`
  })
  return fields.length === 0 ? 'no arguments' : fields.join(', ')
}
