import { AISDKError, APICallError } from '@ai-sdk/provider'
import { secretsIn, withoutSecrets } from '../domain/text/mask.ts'
import { Problem } from '../domain/problem.ts'
import type { ProviderConnection } from './connect.ts'
import { retryAfterMs } from './retry.ts'
import { SilentServer } from './wire/http-request.ts'

/** An answer that is no reply, as the server gave it. */
export interface FailedAnswer {
  status: number
  message: string
  body: string
  headers: Record<string, string>
}

/** What a failed request means: `provider_failed` may be tried again, `provider_refused` needs a person. */
export function asProviderProblem(error: unknown, connection: ProviderConnection, model: string, now: Date): Problem {
  if (error instanceof Problem) return error
  const answer = answerIn(error)
  if (answer !== null) return fromAnswer(answer, connection, model, now)
  const said = withoutKey(messageOf(error), connection)
  if (isOurMistake(error)) return new Problem('internal', `${connection.name} could not be asked: ${said}`, { cause: error })
  const silent = [error, error instanceof Error && error.cause].find((cause) => cause instanceof SilentServer)
  if (silent !== undefined) return fromSilence(silent, connection)
  return new Problem('provider_failed', `${connection.name} at ${connection.base_url} broke off: ${said}`, {
    details: { said },
    cause: error,
  })
}

/** A server that never answered is not asked again: whoever waited for it has waited long enough. */
function fromSilence({ begun, waited_ms }: SilentServer, { name, kind, base_url }: ProviderConnection): Problem {
  const what = begun ? 'fell silent within its answer and sent nothing more for' : 'sent nothing for'
  const setting = `providers.${name}.${begun ? 'between_bytes_s' : 'first_byte_s'}`
  const why =
    kind === 'openai-compatible' ? 'Look whether the server is up and has loaded its model' : 'It may be down, or think without a sign'
  return new Problem(
    'provider_failed',
    `${name} at ${base_url} ${what} ${waited_ms / 1000} s. ${why}; ${setting} in config.yaml says how long to wait`,
    { details: { silent: begun ? 'within its answer' : 'from the start', waited_ms } },
  )
}

function answerIn(error: unknown): FailedAnswer | null {
  if (isFailedAnswer(error)) return error
  if (!APICallError.isInstance(error) || error.statusCode === undefined || error.statusCode < 300) return null
  const { statusCode: status, message, responseBody: body = '', responseHeaders: headers = {} } = error
  return { status, message, body, headers }
}

function isFailedAnswer(error: unknown): error is FailedAnswer {
  return typeof error === 'object' && error !== null && 'status' in error && 'body' in error && 'headers' in error
}

function fromAnswer(answer: FailedAnswer, connection: ProviderConnection, model: string, now: Date): Problem {
  const { status, message, body, headers } = answer
  const said = withoutKey(message || body, connection).slice(0, 1000)
  const details = { status, said }
  if (isPassing(status) && !isOutOfCredit(body)) {
    const retry_after_ms = retryAfterMs(headers, now)
    const more = retry_after_ms === null ? details : { ...details, retry_after_ms }
    return new Problem('provider_failed', `${connection.name} answered ${status}: ${said}`, { details: more })
  }
  if (isTooLarge(answer)) return new Problem('too_large', `${connection.name} answered ${status}: ${said}. ${TOO_LARGE}`, { details })
  return new Problem(
    'provider_refused',
    `${connection.name} answered ${status}: ${said}. ${whatToDo(isBadKey(answer) ? 401 : status, connection, model)}`,
    {
      details,
    },
  )
}

/** Servers quote the key they refuse; what they say is shown, stored and put into the next prompt. */
function withoutKey(text: string, { key }: ProviderConnection): string {
  return key === null ? text : withoutSecrets(text, secretsIn({ KEY: key }))
}

function isPassing(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}

/** An empty account answers 429 like a busy server does, but no wait fills it. */
function isOutOfCredit(body: string): boolean {
  return /insufficient_quota|billing_hard_limit/.test(body)
}

/** Google answers a wrong key with 400, as if the request were wrong. */
function isBadKey({ status, message, body }: FailedAnswer): boolean {
  return status === 400 && /API_KEY_INVALID|API key not valid/i.test(`${message} ${body}`)
}

const TOO_LARGE = 'The request is too large for this model: compact the thread, send less at once or choose a larger model.'

/** The words of the servers we know for a request that is larger than the context of their model. */
const tooLarge = new RegExp(
  [
    'context_length_exceeded|exceed_context_size|request_too_large',
    'maximum context length|context (?:window|length|size)|prompt is too long|(?:input|request|prompt) (?:is )?too (?:long|large)',
    'input token count|too many (?:input )?tokens|exceeds? the (?:maximum|available|model)',
  ].join('|'),
  'i',
)

function isTooLarge({ status, message, body }: FailedAnswer): boolean {
  return status === 413 || ((status === 400 || status === 422) && tooLarge.test(`${message} ${body}`))
}

function whatToDo(status: number, { name, base_url, key_variable }: ProviderConnection, model: string): string {
  if (status === 401 || status === 403) return `Check the key${key_variable === null ? '' : ` in ${key_variable}`} and what it may use.`
  if (status === 402 || status === 429) return `Check the credit of the account at ${name}.`
  if (status === 404) return `Check that ${base_url} is right and knows the model ${model}.`
  return `Check that the model ${model} accepts tools and this size of request.`
}

/** The library refusing what we gave it is a defect of ours; asking again would not help. */
function isOurMistake(error: unknown): boolean {
  return AISDKError.isInstance(error) && /Prompt|Unsupported|InvalidArgument|LoadAPIKey|NoSuchModel/.test(error.name)
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return typeof error === 'string' ? error : JSON.stringify(error)
}
