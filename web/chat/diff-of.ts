/** The change a call made or, while it waits for leave, would make. */
export function diffOf(details: Record<string, unknown>): string | null {
  const previewed = details.previewed
  const planned = typeof previewed === 'object' && previewed !== null && 'diff' in previewed ? previewed.diff : null
  const diff = details.diff ?? planned
  return typeof diff === 'string' && diff !== '' ? diff : null
}
