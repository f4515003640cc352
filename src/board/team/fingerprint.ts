import { hash } from 'node:crypto'

/** A short name for a state that may be long; equal states have equal names. */
export function fingerprint(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts)).slice(0, 32)
}
