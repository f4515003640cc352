import type { Context } from 'hono'
import type * as z from 'zod'
import { messageOf, Problem } from '../domain/problem.ts'
import { contract, type RouteInput, type RouteReply, type RouteShape } from './contract.ts'
import type { RouteName } from './routes.ts'
import type { ServerContext } from './services.ts'

/** What a handler is given: its parsed input, what the server works with, and the end of the caller's patience. */
export type Handler<Name extends RouteName> = (
  input: RouteInput<Name>,
  services: ServerContext,
  signal: AbortSignal,
) => Promise<RouteReply<Name>>

/** One handler for each named route; leaving one out is a type error. */
export type Handlers<Names extends RouteName> = { [Name in Names]: Handler<Name> }

/** Parses what came, calls the handler, and sends what the contract says and nothing more. */
export async function dispatch<Name extends RouteName>(
  c: Context,
  name: Name,
  handler: Handler<Name>,
  services: ServerContext,
): Promise<Response> {
  const shape: RouteShape = contract[name]
  const input = {
    params: c.req.param(),
    query: shape.query && fitting('query', shape.query, c.req.query()),
    body: shape.body && fitting('body', shape.body, await jsonOf(c)),
  } as RouteInput<Name> // params come from the path of this route, query and body were parsed by its own schemas
  const reply = await handler(input, services, c.req.raw.signal)
  c.header('cache-control', 'no-store')
  return c.json(shape.reply.parse(reply))
}

/** The body of a request as JSON, whatever it holds. */
export async function jsonOf(c: Context): Promise<unknown> {
  if (!/^application\/json\b/.test(c.req.header('content-type') ?? ''))
    throw new Problem('bad_input', 'the body must be JSON, sent with "content-type: application/json"')
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('bad_input', `the body is not JSON: ${messageOf(error)}`, { cause: error })
  }
}

function fitting(part: string, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  const first = issues[0]
  const field = first?.path ? `${part}.${first.path}` : part
  throw new Problem('bad_input', `${field} does not fit: ${first?.message}`, { details: { issues } })
}
