import { Problem } from '../../domain/problem.ts'
import { readLimit } from '../../domain/quota/limit-message.ts'

/** A limit that a failed request tells of. `empty`: the account is used up, which no wait fills. */
export interface ReachedQuota {
  message: string
  resets_at: Date | null
  empty: boolean
}

/** What a failure says about a limit of the provider or the outside agent; null where it is about something else. */
export function limitOf(error: unknown, now: Date): ReachedQuota | null {
  if (!(error instanceof Problem) || (error.code !== 'provider_failed' && error.code !== 'provider_refused')) return null
  const { status, said, retry_after_ms } = error.details
  const message = typeof said === 'string' ? said : error.message
  if (error.code === 'provider_refused') return isEmptyAccount(status, error.message) ? { message, resets_at: null, empty: true } : null
  const told = readLimit(message, now)
  if (status === 429) {
    const after = typeof retry_after_ms === 'number' ? new Date(now.getTime() + retry_after_ms) : null
    return { message: told?.message ?? error.message, resets_at: after ?? told?.resets_at ?? null, empty: false }
  }
  return told === null || status !== undefined ? null : { ...told, empty: false }
}

function isEmptyAccount(status: unknown, message: string): boolean {
  return status === 402 || /insufficient_quota|billing_hard_limit|credit balance/i.test(message)
}
