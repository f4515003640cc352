/** Control, text-direction and tag characters, with which a file from a stranger could hide what it says or steer a terminal. */
export const HIDDEN_CHARACTER = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E007F}]/u

/** The same for a JSON Schema: a text fits that holds none. Lines may end as on Windows. */
export const NO_HIDDEN_CHARACTER = String.raw`^(?![^]*(?!\r\n|[\n\t])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E007F}])`

/** Something a reader can see: a letter, a digit, a sign. Spaces and characters without width are none. */
export const VISIBLE_CHARACTER = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Where in a value a text holds a hidden character; null where none does. */
export function hiddenIn(value: unknown, path: readonly PropertyKey[] = []): readonly PropertyKey[] | null {
  if (typeof value === 'string') return HIDDEN_CHARACTER.test(value.replaceAll('\r\n', '\n')) ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    const found = HIDDEN_CHARACTER.test(key.replaceAll('\r\n', '\n')) ? at : hiddenIn(inner, at)
    if (found !== null) return found
  }
  return null
}

/** The marks that turn the direction of text: with them a command or a line of code reads otherwise than it runs. */
const marks = /[\u202a-\u202e\u2066-\u2069]/g

/** Text in which such marks are seen, by their numbers, and turn nothing. */
export function showTextDirection(text: string): string {
  return text.replaceAll(marks, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`)
}
