import type { CallToolResult } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { parsedJson } from '../domain/text/json-in-text.ts'
import { problemView } from '../domain/problem.ts'
import { readValue, type SchemaIssue } from '../domain/text/schema-error.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import type { McpTool } from './tool.ts'

/**
 * Both halves carry the whole answer: some clients read only `structuredContent`, others only `content`.
 * The agent's half is marked for the assistant, so that a client which honours the mark keeps the role from people.
 */
export function toolResult(structured: Record<string, unknown>, forUser: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(structured), annotations: { audience: ['assistant'], priority: 1 } },
      { type: 'text', text: forUser, annotations: { audience: ['user'], priority: 0.5 } },
    ],
    structuredContent: structured,
  }
}

/** A refusal the agent can act on: what was expected, what came, and the call that would have been right. */
export function refusedToolCall(tool: McpTool, args: unknown, error: unknown): CallToolResult {
  const { error: told } = problemView(error)
  const right = told.details['arguments'] ?? correctedArguments(tool, args, told.details)
  // Where nobody can tell what would have been right, the same wrong call is no correction.
  const call = canonicalJson(right) === canonicalJson(args) ? undefined : { tool: tool.name, arguments: right }
  const text = JSON.stringify({ error: { ...told, call } })
  return { isError: true, content: [{ type: 'text', text, annotations: { audience: ['assistant'], priority: 1 } }] }
}

/** The call as it was probably meant: by the issues of its schema, or by the one field that the operation itself refused. */
function correctedArguments(tool: McpTool, args: unknown, details: Record<string, unknown>): unknown {
  if (!isRecord(args)) return tool.example
  const issues = details['issues']
  if (Array.isArray(issues)) return (issues as SchemaIssue[]).reduce((given, issue) => corrected(tool, given, issue), args) // as `readInput` made them
  const { field, got, closest: meant } = details
  if (typeof field !== 'string' || typeof meant !== 'string' || !(field in args)) return args
  const value = args[field]
  return { ...args, [field]: Array.isArray(value) ? value.map((item: unknown) => (item === got ? meant : item)) : meant }
}

function corrected(tool: McpTool, given: Record<string, unknown>, { path, meant }: SchemaIssue): Record<string, unknown> {
  const [field = ''] = path.split('.')
  const { [field]: value, ...others } = given
  const schema = tool.input.shape[field] as z.ZodType | undefined // every field of a schema of zod
  if (schema === undefined) return meant === undefined ? others : { ...others, [meant]: value }
  // Models send lists and objects as text.
  const candidates = [
    ...(typeof value === 'string' ? [parsedJson(value), [value]] : []),
    meant,
    new Map(Object.entries(tool.example)).get(field),
  ]
  const right = candidates.find((candidate) => candidate !== undefined && 'value' in readValue(schema, candidate))
  return right === undefined ? given : { ...given, [field]: right }
}
