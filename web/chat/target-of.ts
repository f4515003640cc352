/** What a call is about, in a few words: its path, command, pattern or role. */
export function targetOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const named = input as Record<string, unknown> // any object may be looked into by name
  const value = ['path', 'command', 'pattern', 'query', 'role', 'goal'].map((key) => named[key]).find((found) => typeof found === 'string')
  return typeof value === 'string' ? value : ''
}
