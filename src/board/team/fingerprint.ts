import { createHash } from 'node:crypto'

/** A short name for a state that may be long; equal states have equal names. */
export function fingerprint(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
