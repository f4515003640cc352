import type { Entry } from '../domain/entry.ts'
import { maskedRecord } from '../domain/text/mask.ts'

/**
 * An entry as it is stored: what a model says and what a tool answers, without our keys and without anything that looks like one.
 * The arguments of a call stay: another process may have to carry out exactly what was approved. So does what a call that is not
 * over yet needs to be found again, and what a provider wants back word for word.
 */
export function maskedEntry<T extends Entry>(entry: T, secrets: readonly string[]): T {
  if (entry.from === 'assistant') {
    const { text, thoughts } = entry
    return { ...entry, text: maskedRecord(text, secrets), ...(thoughts !== undefined && { thoughts: maskedRecord(thoughts, secrets) }) }
  }
  if (entry.from === 'note') return { ...entry, text: maskedRecord(entry.text, secrets) }
  if (entry.from === 'user' || entry.outcome === 'running' || entry.outcome === 'waiting') return entry
  return { ...entry, output: maskedRecord(entry.output, secrets), details: maskedRecord(entry.details, secrets) }
}
