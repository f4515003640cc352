import type { BoardConfig } from '../../domain/board/board.ts'

/** The end of a lease that starts now. */
export function leaseFrom(now: Date, { lease_duration }: Pick<BoardConfig, 'lease_duration'>): string {
  return new Date(now.getTime() + lease_duration * 1_000).toISOString()
}

/** Whether a lease has run out. One that was never given binds nobody. */
export function hasExpired(lease: string | null, now: Date): boolean {
  return lease === null || new Date(lease) <= now
}
