import type { Context } from 'hono'
import { messageOf, Problem } from '../domain/problem.ts'

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
