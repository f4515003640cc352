import { counted } from './format.ts'

/** A file that a message names: `@src/main.ts`, or `@"my notes.md"`. */
const named = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g

const opening = '\n\nAttached: '

/** The paths that a message names with @; some may be names of people. */
export function namedPaths(text: string): string[] {
  return [...new Set([...text.matchAll(named)].map(([, quoted, bare = '']) => quoted ?? bare.replace(/[.,;:!?)]+$/, '')))]
}

/** How a message names a path, so that it is found again. */
export function asNamed(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`
}

/** The text of a file as it follows the message that names it. */
export function attachedText(path: string, lines: number, text: string): string {
  return `${opening}${path} (${counted(lines, 'line')})\n\`\`\`\n${text}\n\`\`\``
}

/** A message as it was typed, and the files whose text follows it. */
export function withoutAttached(text: string): { text: string; files: string[] } {
  const at = text.indexOf(opening)
  if (at === -1) return { text, files: [] }
  const files = [...text.matchAll(/\n\nAttached: (.+ \([\d,]+ lines?\))\n```\n/g)].map(([, name = '']) => name)
  return files.length === 0 ? { text, files } : { text: text.slice(0, at), files }
}
