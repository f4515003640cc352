import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../domain/problem.ts'
import type { Retry } from './provider.ts'

/** How often and how patiently a failed turn is asked again. */
export interface RetryPolicy {
  max_retries: number
  base_ms: number
  cap_ms: number
  /** The longest wait a server may ask for; a longer one is told to the user instead of slept through. */
  patience_ms: number
  /** How long after its first failure a turn is still tried again. */
  total_ms: number
}

export const defaultRetry: RetryPolicy = { max_retries: 5, base_ms: 500, cap_ms: 30_000, patience_ms: 120_000, total_ms: 300_000 }

/** Tries until it succeeds, is refused, is stopped, or has failed once more than the policy allows. */
export async function withRetry<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<T>,
  onRetry?: (retry: Retry) => void,
): Promise<T> {
  let firstFailure: number | undefined
  for (let failed = 0; ;) {
    stopIfAborted(signal)
    try {
      return await attempt()
    } catch (error) {
      stopIfAborted(signal, error)
      if (!(error instanceof Problem) || error.code !== 'provider_failed') throw error
      failed += 1
      firstFailure ??= performance.now()
      const wait_ms = waitBefore(failed, policy, error)
      const late = performance.now() - firstFailure + wait_ms > policy.total_ms
      if (failed > policy.max_retries || wait_ms > policy.patience_ms || late || isSilent(error)) throw givenUp(error, failed)
      onRetry?.({ attempt: failed, wait_ms, reason: error.message })
      await sleep(wait_ms, undefined, { signal }).catch(() => stopIfAborted(signal))
    }
  }
}

/** What a server asks us to wait, from `retry-after-ms` or `retry-after` (seconds or a date); null where it does not say. */
export function retryAfterMs(headers: Record<string, string>, now: Date): number | null {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds)
  const after = headers['retry-after']
  if (after === undefined) return null
  const seconds = Number(after)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(after)
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime())
}

/** A server that has not answered at all was waited for long enough. */
function isSilent({ details }: Problem): boolean {
  return details['silent'] === 'from the start'
}

/** Full jitter keeps a thousand agents that failed together from coming back together. */
function waitBefore(failed: number, policy: RetryPolicy, error: Problem): number {
  const asked = error.details['retry_after_ms']
  if (typeof asked === 'number') return Math.round(asked * (1 + Math.random() / 10))
  return Math.round(Math.min(policy.cap_ms, policy.base_ms * 2 ** (failed - 1)) * (0.5 + Math.random() / 2))
}

function givenUp(error: Problem, attempts: number): Problem {
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return new Problem('provider_failed', `${error.message} (asked ${times}, then gave up)`, {
    details: { ...error.details, attempts },
    cause: error,
  })
}

function stopIfAborted(signal: AbortSignal, cause?: unknown): void {
  if (signal.aborted) throw new Problem('stopped', 'the request to the model was stopped', { cause: cause ?? signal.reason })
}
