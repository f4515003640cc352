import { RequestError } from '@agentclientprotocol/sdk'
import { asProblem, problemView, type ProblemCode } from '../domain/problem.ts'

const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603
const NOT_FOUND = -32_002
const INVALID_REQUEST = -32_600

const codes: Partial<Record<ProblemCode, number>> = {
  bad_input: INVALID_PARAMS,
  too_large: INVALID_PARAMS,
  not_found: NOT_FOUND,
  busy: INVALID_REQUEST,
  confirmation_required: INVALID_REQUEST,
}

/** Anything thrown, as the protocol answers it: the message for people, the problem itself as data for programs. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const problem = asProblem(error)
  return new RequestError(codes[problem.code] ?? INTERNAL_ERROR, problem.message, problemView(problem).error)
}

/** A handler whose problems are answered in the words of the protocol. */
export function answering<Request, Response>(handle: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return (request) =>
    handle(request).catch((error: unknown) => {
      throw asRequestError(error)
    })
}
