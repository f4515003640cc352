import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { Usage } from '../../domain/entry.ts'
import { Problem } from '../../domain/problem.ts'

/** Facts about a request that a step can name: each text must occur in it, each tool must be offered. */
export type ScriptMatch = z.infer<typeof ScriptMatch>
export const ScriptMatch = z.strictObject({
  system: z.string().optional(),
  user: z.string().optional(),
  tool_output: z.string().optional(),
  tools: z.array(z.string()).optional(),
  no_tools: z.array(z.string()).optional(),
})

/**
 * One turn of a script. `fail` happens `times` before the turn succeeds; `when` leaves the step to the request it is meant for.
 * `cut` drops the connection in the middle of the reply, `end` ends it there in good order, `hang` falls silent there, or at once without text.
 * `said` is what the server says when it fails; `headers` go with a failure played over HTTP.
 */
export type ScriptStep = z.infer<typeof ScriptStep>
export const ScriptStep = z.strictObject({
  text: z.string().default(''),
  calls: z.array(z.strictObject({ id: z.string().min(1).optional(), tool: z.string(), input: z.unknown() })).default([]),
  usage: Usage.partial().optional(),
  delay_ms: z.number().nonnegative().default(0),
  fail: z.union([z.int().min(400).max(599), z.enum(['cut', 'end', 'hang'])]).optional(),
  times: z.int().positive().default(1),
  retry_after_ms: z.number().nonnegative().optional(),
  said: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  reasoning: z.string().optional(),
  stop: z.enum(['end', 'length', 'filtered']).default('end'),
  when: ScriptMatch.optional(),
  expect: ScriptMatch.optional(),
  repeat: z.boolean().default(false),
})

/** `order`: each step is played once, whoever asks. `thread`: the turn a thread has reached picks its step, so a resumed run goes on where it was. */
export type Script = z.infer<typeof Script>
export const Script = z.strictObject({
  follow: z.enum(['order', 'thread']).default('order'),
  chunk_chars: z.int().positive().default(24),
  replies: z.array(ScriptStep),
})

/** A step as a test writes it: data, or a function of the request it answers. */
export type StepInput<Request> =
  | z.input<typeof ScriptStep>
  | ((request: Request) => z.input<typeof ScriptStep> | Promise<z.input<typeof ScriptStep>>)

/** What of a request a script looks at, on any wire. */
export interface ScriptView {
  system: string
  user: string
  tool_output: string
  tools: string[]
  /** How many replies the thread already holds. */
  asked: number
}

/** Reads a script from a JSON or YAML file: a list of steps, or `{follow, replies}`. */
export async function readScript(file: string): Promise<Script> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('bad_input', `the script ${file} cannot be read; name an existing JSON or YAML file`, { cause })
  })
  const { parse } = await import('yaml')
  try {
    return parseScript(parse(text), file)
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem('bad_input', `the script ${file} is neither JSON nor YAML: ${String(cause)}`, { cause })
  }
}

/** A script from data that came from outside. */
function parseScript(value: unknown, source: string): Script {
  const parsed = Script.safeParse(Array.isArray(value) ? { replies: value } : value)
  if (parsed.success) return parsed.data
  throw new Problem('bad_input', `the script ${source} is not valid:\n${z.prettifyError(parsed.error)}`)
}

/** The first fact of a match that a request does not fit, in words; null when all fit. */
export function misfit(match: ScriptMatch | undefined, view: ScriptView): string | null {
  if (match === undefined) return null
  for (const part of ['system', 'user', 'tool_output'] as const) {
    const wanted = match[part]
    if (wanted !== undefined && !view[part].includes(wanted)) return `${part} does not contain "${wanted}"`
  }
  const missing = match.tools?.find((tool) => !view.tools.includes(tool))
  if (missing !== undefined) return `the tool ${missing} is not offered`
  const surplus = match.no_tools?.find((tool) => view.tools.includes(tool))
  return surplus === undefined ? null : `the tool ${surplus} is offered`
}
