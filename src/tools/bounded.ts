/** A text of at most so many characters: its head and its tail, with a note of what was cut between them. */
export function bounded(text: string, chars: number): string {
  if (text.length <= chars) return text
  const head = text.slice(0, Math.ceil(chars * 0.7)).replace(/[\uD800-\uDBFF]$/, '')
  const tail = text.slice(text.length - Math.floor(chars * 0.3)).replace(/^[\uDC00-\uDFFF]/, '')
  return `${head}\n[… ${text.length - head.length - tail.length} characters cut …]\n${tail}`
}
