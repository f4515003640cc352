/** A text of at most so many characters; what is cut off leaves a … behind. */
export function shorten(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text
}
