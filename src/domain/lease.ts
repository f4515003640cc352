/** How long a process may be silent before another takes over what it holds: a run, a job, a task, a review or a merge. */
export const LEASE_SECONDS = 300

/** How often a process says that it still holds something. */
export const HEARTBEAT_SECONDS = 60

/** The end of a lease that starts now. */
export function leaseFrom(now: Date, seconds = LEASE_SECONDS): string {
  return new Date(now.getTime() + seconds * 1_000).toISOString()
}

/** Whether a lease has run out. One that was never given binds nobody. */
export function hasExpired(lease: string | null, now: Date): boolean {
  return lease === null || new Date(lease) <= now
}

/** Renews a lease until it is stopped. A heartbeat that fails is tried again; a store that stays away fails the work itself. */
export function keepRenewing(renew: () => Promise<unknown>): { stop: () => void } {
  const timer = setInterval(() => void renew().catch(() => undefined), HEARTBEAT_SECONDS * 1_000)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
