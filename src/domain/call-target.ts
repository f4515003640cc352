import { isRecord } from './text/unknown-value.ts'

/** What a call is about, in a few words: its path, command, pattern or role. */
export function callTarget(input: unknown): string {
  if (!isRecord(input)) return ''
  const value = ['path', 'command', 'pattern', 'query', 'role', 'goal'].map((key) => input[key]).find((found) => typeof found === 'string')
  return typeof value === 'string' ? value : ''
}
