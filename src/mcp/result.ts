import type { CallToolResult } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { closest } from '../domain/text/closest.ts'
import { parsedJson } from '../domain/text/json-in-text.ts'
import { Problem, problemView } from '../domain/problem.ts'
import { isRecord, quoted, valueAt } from '../domain/text/unknown-value.ts'
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

/** Reads the arguments of a call; a misfit becomes a Problem that names field, expectation and what came. */
export function readArguments<Input extends z.ZodObject>(tool: McpTool<Input>, args: unknown): z.infer<Input> {
  const parsed = tool.input.safeParse(args ?? {})
  if (parsed.success) return parsed.data
  const misfits = parsed.error.issues.map((issue) => misfitOf(tool, issue, args))
  const first = misfits.find(({ nearest }) => nearest !== null) ?? misfits[0]
  throw new Problem('bad_input', `${tool.name}: ${misfits.map(({ message }) => message).join('; ')}`, {
    details: { field: first?.field, expected: first?.expected, got: first?.got, closest: first?.nearest, misfits },
  })
}

function misfitOf(tool: McpTool, issue: z.core.$ZodIssue, args: unknown) {
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(tool.input.shape)
    const [key = ''] = issue.keys
    const nearest = closest(key, known)
    const expected = `one of ${known.join(', ') || 'no arguments'}`
    return { field: key, expected, got: key, nearest, message: `there is no argument "${key.slice(0, 60)}"; expected ${expected}` }
  }
  const field = issue.path.join('.') || 'arguments'
  const got = quoted(valueAt(args, issue.path))
  if (issue.code !== 'invalid_type')
    return { field, expected: issue.message, got, nearest: null, message: `${field}: ${issue.message}; got ${got}` }
  return { field, expected: issue.expected, got, nearest: null, message: `${field} must be ${issue.expected}, got ${got}` }
}

/** The call as it was probably meant. Models send lists and objects as text; what can be read as one is corrected to it. */
function correctedArguments(tool: McpTool, args: unknown, details: Record<string, unknown>): unknown {
  if (!isRecord(args)) return tool.example
  const field = typeof details['field'] === 'string' ? details['field'] : ''
  const given = new Map<string, unknown>(Object.entries(args))
  const nearest = details['closest']
  if (!given.has(field)) return field === '' ? args : { ...tool.example, ...args }
  const value = given.get(field)
  if (!(field in tool.input.shape)) {
    given.delete(field)
    if (typeof nearest === 'string') given.set(nearest, value)
  } else if (typeof nearest === 'string') {
    given.set(field, Array.isArray(value) ? value.map((item: unknown) => (item === details['got'] ? nearest : item)) : nearest)
  } else if (typeof value === 'string') given.set(field, fromText(value, details['expected']))
  else given.set(field, new Map<string, unknown>(Object.entries(tool.example)).get(field) ?? value)
  return Object.fromEntries(given)
}

function fromText(text: string, expected: unknown): unknown {
  const read = parsedJson(text)
  if (expected === 'array') return Array.isArray(read) ? read : [text]
  return expected === 'record' || expected === 'object' ? (read ?? {}) : text
}
