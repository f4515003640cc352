import * as z from 'zod'
import type { Tool } from './tool.ts'

const SHOWN_AT_MOST = 80

/** Why arguments were refused: which field, what came, what would fit; then all the tool takes. */
export function inputMistakes(tool: Tool, input: unknown, error: z.ZodError): string {
  const mistakes = error.issues.map((issue) => {
    const field = issue.path.length === 0 ? 'the arguments' : issue.path.map(String).join('.')
    return `${field}: ${issue.message}; what came was ${shown(valueAt(input, issue.path))}`
  })
  return `${tool.name} cannot use these arguments. ${mistakes.join('. ')}. It takes ${fieldsOf(tool)}`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), input)
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value)
  return text.length > SHOWN_AT_MOST ? `${text.slice(0, SHOWN_AT_MOST)}…` : text
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
