/** What went wrong, in the words a person or a model can act on. The only error class we throw on purpose. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: Record<string, unknown>
  readonly retryable: boolean

  constructor(code: ProblemCode, message: string, more: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.details = more.details ?? {}
    this.retryable = problems[code].retryable
  }
}

/** Every kind of problem, with its HTTP status, its exit code and whether the same call may succeed later. */
// oxfmt-ignore
export const problems = {
  bad_input:             { status: 400, exit: 42,  retryable: false },
  unauthorized:          { status: 401, exit: 42,  retryable: false },
  forbidden:             { status: 403, exit: 13,  retryable: false },
  denied:                { status: 403, exit: 13,  retryable: false },
  not_found:             { status: 404, exit: 42,  retryable: false },
  conflict:              { status: 409, exit: 42,  retryable: true },
  move_refused:          { status: 409, exit: 42,  retryable: false },
  confirmation_required: { status: 409, exit: 10,  retryable: false },
  needs_person:          { status: 409, exit: 10,  retryable: false },
  busy:                  { status: 409, exit: 11,  retryable: true },
  too_large:             { status: 413, exit: 42,  retryable: false },
  sandbox_missing:       { status: 424, exit: 13,  retryable: false },
  turn_limit:            { status: 429, exit: 53,  retryable: false },
  budget:                { status: 429, exit: 12,  retryable: false },
  provider_failed:       { status: 502, exit: 11,  retryable: true },
  provider_refused:      { status: 502, exit: 42,  retryable: false },
  store_failed:          { status: 503, exit: 11,  retryable: true },
  store_newer:           { status: 503, exit: 42,  retryable: false },
  stopped:               { status: 499, exit: 130, retryable: false },
  internal:              { status: 500, exit: 1,   retryable: false },
} as const satisfies Record<string, { status: number; exit: number; retryable: boolean }>

export type ProblemCode = keyof typeof problems

/** The one shape in which a problem leaves the process: HTTP body, `--json` output, MCP error, tool answer. */
export function problemView(error: unknown) {
  const problem = asProblem(error)
  const { code, message, retryable, details } = problem
  return { error: { code, message, retryable, details } }
}

/** Anything thrown, as a Problem; what we did not foresee becomes `internal` and keeps its message. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem('internal', error instanceof Error ? error.message : String(error), { cause: error })
}
