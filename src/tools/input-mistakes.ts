import * as z from 'zod'
import { issueText, type SchemaIssue } from '../domain/text/schema-error.ts'
import type { Tool } from './tool.ts'

/** Why arguments were refused: which field, what came, what would fit; then all the tool takes. */
export function inputMistakes(tool: Tool, issues: readonly SchemaIssue[]): string {
  const mistakes = issues.map((issue) => issueText({ ...issue, path: issue.path || 'the input' }))
  return `${tool.name} cannot use these arguments: ${mistakes.join('; ')}. It takes ${fieldsOf(tool)}`
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
