/** What went wrong, in the words a person or a model can act on. The only error class we throw on purpose. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: Record<string, unknown>
  readonly retryable: boolean
  /** What can be done about it; each door says how in its own words. */
  readonly next: readonly NextStep[]

  constructor(code: ProblemCode, message: string, more: ProblemMore = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.details = more.details ?? {}
    this.retryable = problems[code].retryable
    this.next = more.next ?? []
  }
}

/** An operation that helps, by its name, and what to give it. Words in capitals stand for what the reader fills in. */
export interface NextStep {
  operation: string
  input?: Record<string, unknown> | undefined
}

/** What a person should know, and what can be done about it. */
export interface Notice {
  text: string
  next?: readonly NextStep[]
}

interface ProblemMore {
  details?: Record<string, unknown>
  cause?: unknown
  next?: readonly NextStep[]
}

/** Every kind of problem, with its HTTP status, its exit code, whether the same call may succeed later, and what it means. */
// oxfmt-ignore
export const problems = {
  bad_input:             { status: 400, exit: 42,  retryable: false, means: 'what was given does not fit' },
  unauthorized:          { status: 401, exit: 42,  retryable: false, means: 'the token is missing or wrong' },
  forbidden:             { status: 403, exit: 13,  retryable: false, means: 'this actor may not do this' },
  denied:                { status: 403, exit: 13,  retryable: false, means: 'the role, a setting or a person said no' },
  not_found:             { status: 404, exit: 42,  retryable: false, means: 'there is no such thing' },
  conflict:              { status: 409, exit: 42,  retryable: true,  means: 'someone else changed it first' },
  move_refused:          { status: 409, exit: 42,  retryable: false, means: 'the state of the record does not allow this' },
  confirmation_required: { status: 409, exit: 10,  retryable: false, means: 'work in progress would stop; confirm to go ahead' },
  needs_person:          { status: 409, exit: 10,  retryable: false, means: 'a question or an approval waits for a person' },
  busy:                  { status: 409, exit: 11,  retryable: true,  means: 'another process holds it' },
  too_large:             { status: 413, exit: 42,  retryable: false, means: 'it is larger than the limit' },
  sandbox_missing:       { status: 424, exit: 13,  retryable: false, means: 'there is no sandbox on this machine and the role needs one' },
  turn_limit:            { status: 429, exit: 53,  retryable: false, means: 'the limit of turns is reached' },
  budget:                { status: 429, exit: 12,  retryable: false, means: 'a limit of cost, tokens or time is reached' },
  quota:                 { status: 429, exit: 11,  retryable: true,  means: 'a limit of the provider or the outside agent is reached' },
  provider_failed:       { status: 502, exit: 11,  retryable: true,  means: 'the model could not be reached, retries included' },
  provider_refused:      { status: 502, exit: 42,  retryable: false, means: 'the model refused the request' },
  unreadable_reply:      { status: 502, exit: 11,  retryable: true,  means: 'the model’s plan or question cannot be read, even after it was asked again' },
  store_failed:          { status: 503, exit: 11,  retryable: true,  means: 'the store could not be read or written' },
  disk_full:             { status: 507, exit: 11,  retryable: true,  means: 'a disk has no room left' },
  store_newer:           { status: 503, exit: 42,  retryable: false, means: 'the store was made by a newer Troupe' },
  stopped:               { status: 499, exit: 130, retryable: false, means: 'it was stopped or interrupted' },
  internal:              { status: 500, exit: 1,   retryable: false, means: 'an unexpected error; please report it' },
} as const satisfies Record<string, { status: number; exit: number; retryable: boolean; means: string }>

export type ProblemCode = keyof typeof problems

/** The one shape in which a problem leaves the process: HTTP body, `--json` output, MCP error, tool answer. */
export function problemView(error: unknown) {
  const { code, message, retryable, details, next } = asProblem(error)
  return { error: { code, message, retryable, details, ...(next.length > 0 && { next }) } }
}

/** Anything thrown, as a Problem; what we did not foresee becomes `internal` and keeps its message. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const denied = whyNoAccess(error)
  if (denied !== null) return new Problem('bad_input', denied, { cause: error })
  if (!isFullDisk(error)) return new Problem('internal', messageOf(error), { cause: error })
  return new Problem('disk_full', `the disk is full: ${messageOf(error)}; make room and try again`, { cause: error })
}

/** Whose file it is that this account may not use, and what helps; null for any other error. */
export function whyNoAccess(error: unknown): string | null {
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null
  const why = path === null ? undefined : noAccess[systemCode(error) ?? '']
  return why === undefined ? null : `${path} ${why}`
}

const noAccess: Readonly<Record<string, string>> = {
  EACCES: 'may not be used by this account; ls -ld shows its owner and mode: run as its owner, or change them with chown and chmod u+rwX',
  EPERM: 'may not be changed by this account; ls -ld shows its owner and mode: run as its owner, or change them with chown and chmod u+rwX',
  EROFS: 'cannot be written because its disk is mounted read-only; name a place elsewhere, for example with TROUPE_HOME',
}

/** As the operating system says it, for the disk itself or for what this user may have of it. */
function isFullDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')
}

/** The code by which Node or the operating system names an error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What anything thrown says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether a text, such as the stored reason of a run, is the code of a problem. */
export function isProblemCode(code: string | null): code is ProblemCode {
  return code !== null && Object.hasOwn(problems, code)
}
