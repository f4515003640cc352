/** The marks that turn the direction of text: with them a command or a line of code reads otherwise than it runs. */
const marks = /[\u202a-\u202e\u2066-\u2069]/g

/** Text in which such marks are seen, by their numbers, and turn nothing. */
export function showTextDirection(text: string): string {
  return text.replaceAll(marks, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`)
}
