import type { Context as Request, Hono } from 'hono'
import * as z from 'zod'
import { fieldKind, valueFromText } from '../domain/text/field-kind.ts'
import { doorsOf, perform, readInput, type Operation } from '../domain/operation.ts'
import { messageOf, Problem } from '../domain/problem.ts'

/** Where the operations of an area are done. */
export interface HttpArea<Context extends object> {
  /** The fields by which a caller names it, beside those of the operation. */
  scope: z.ZodRawShape
  /** Lends some work what the operations of this area need. */
  within<Result>(call: HttpCall, work: (context: Context) => Promise<Result>): Promise<Result>
}

/** What a caller said beside the input of an operation. */
export interface HttpCall {
  scope: Record<string, unknown>
  /** Say what would happen and change nothing. */
  dry: boolean
  /** The end of the caller's patience. */
  signal: AbortSignal
}

/** The address of an operation, as in `/api/board/unblock_task`. */
export function pathOf({ name }: Pick<Operation, 'name'>): string {
  return `/api/${name.replace('.', '/')}`
}

/** Answers every operation of an area at its own address: POST with JSON, and GET too where it only reads. */
export function addOperations<Context extends object>(
  app: Hono,
  operations: readonly Operation<string, Context>[],
  area: HttpArea<Context>,
): void {
  for (const operation of operations) {
    if (!doorsOf(operation).includes('http')) continue
    app.post(pathOf(operation), async (c) => answer(c, operation, area, await jsonOf(c)))
    if (operation.effect === 'read')
      app.get(pathOf(operation), async (c) => answer(c, operation, area, fromQuery(operation, area, c.req.query())))
  }
}

async function answer<Context extends object>(
  c: Request,
  operation: Operation<string, Context>,
  area: HttpArea<Context>,
  given: unknown,
): Promise<Response> {
  const { dry_run = false, ...said } = readInput({ ...operation, input: requestOf(operation, area.scope) }, given)
  const inScope = (name: string) => Object.hasOwn(area.scope, name)
  const scope = Object.fromEntries(Object.entries(said).filter(([name]) => inScope(name)))
  const input = Object.fromEntries(Object.entries(said).filter(([name]) => !inScope(name)))
  const call = { scope, dry: dry_run === true, signal: c.req.raw.signal }
  const output = await area.within(call, (context) => perform(operation, context, input))
  c.header('cache-control', 'no-store')
  return c.json(output)
}

/** What a caller may send: the input, where it is meant, and whether it is only tried. */
export function requestOf(operation: Operation, scope: z.ZodRawShape): z.ZodObject {
  const tried = doorsOf(operation).includes('dry_run') ? { dry_run: z.boolean().optional() } : {}
  return z.strictObject({ ...operation.input.shape, ...scope, ...tried })
}

function fromQuery(operation: Operation, { scope }: { scope: z.ZodRawShape }, query: Record<string, string>): Record<string, unknown> {
  const shape: Record<string, unknown> = { ...operation.input.shape, ...scope }
  return Object.fromEntries(
    Object.entries(query).map(([name, word]) => {
      const schema = shape[name]
      return [name, schema instanceof z.ZodType ? valueFromText(fieldKind(schema), word) : word]
    }),
  )
}

/** The body of a request as JSON, whatever it holds. */
async function jsonOf(c: Request): Promise<unknown> {
  if (!/^application\/json\b/.test(c.req.header('content-type') ?? ''))
    throw new Problem('bad_input', 'the body must be JSON, sent with "content-type: application/json"')
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('bad_input', `the body is not JSON: ${messageOf(error)}`, { cause: error })
  }
}
