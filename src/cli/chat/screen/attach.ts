import type { ChatContext } from '../../../chat/context.ts'
import { Problem } from '../../../domain/problem.ts'
import { readAsRole } from './reader.ts'

const FILES_AT_MOST = 10
const ALL_CHARS = 150_000

/** A file that a message names: `@src/main.ts`, or `@"my notes.md"`. */
const named = /(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g

const opening = '\n\nAttached: '

/** A message with the text of each file it names below it, and the names of those files. What is not a file stays a word. */
export async function withAttachments(context: ChatContext, chatId: string, text: string): Promise<{ text: string; files: string[] }> {
  const paths = [...new Set([...text.matchAll(named)].map(([, quoted, bare = '']) => quoted ?? bare.replace(/[.,;:!?)]+$/, '')))]
  const files: string[] = []
  let whole = text
  for (const path of paths) {
    const { outcome, output, details } = await readAsRole(context, chatId, 'read_file', { path }, new AbortController().signal)
    if (outcome === 'denied') throw new Problem('denied', `@${path} cannot be attached: ${output}`)
    if (outcome !== 'ok') continue // most likely somebody is spoken of by name
    files.push(path)
    if (files.length > FILES_AT_MOST) throw new Problem('too_large', `at most ${FILES_AT_MOST} files can be attached to a message`)
    whole += `${opening}${path} (${String(details['lines'])} lines)\n\`\`\`\n${output}\n\`\`\``
  }
  if (whole.length > ALL_CHARS)
    throw new Problem(
      'too_large',
      'the attached files are too long for one message; name them without @, so that the agent reads what it needs',
    )
  return { text: whole, files }
}

/** A message as it was typed: of what was attached only the names. */
export function withoutAttached(text: string): string {
  const at = text.indexOf(opening)
  if (at === -1) return text
  const names = [...text.matchAll(/\n\nAttached: (.+ \(\d+ lines\))\n```\n/g)].map(([, name]) => name)
  return `${text.slice(0, at)}\n+ ${names.join(', ')}`
}
