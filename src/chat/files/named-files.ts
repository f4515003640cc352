import type { NewAttachment } from '../../domain/attachment.ts'
import { Problem } from '../../domain/problem.ts'
import { attachedText, namedPaths, withoutAttached } from '../../domain/text/named-files.ts'
import type { ChatContext } from '../context.ts'
import { readAsRole } from './read-as-role.ts'

/** How many files go with one message, whichever way they were given. */
export const MESSAGE_FILES = 10

const ALL_CHARS = 150_000

interface Said {
  text: string
  attachments?: readonly NewAttachment[] | undefined
}

/** A message with each file it names with @: its text below the message, or the image or PDF beside it. What is not a file stays a word. */
export async function withNamedFiles(context: ChatContext, chatId: string, said: Said): Promise<Said> {
  const attachments = [...(said.attachments ?? [])]
  const texts: string[] = []
  for (const path of namedPaths(withoutAttached(said.text).text)) {
    const { outcome, output, details, shows } = await readAsRole(context, chatId, 'read_file', { path }, new AbortController().signal)
    if (outcome === 'denied' || details['code'] === 'too_large') throw new Problem('denied', `@${path} cannot be attached: ${output}`)
    if (outcome !== 'ok') continue // most likely somebody is spoken of by name
    if (shows === undefined) texts.push(attachedText(path, Number(details['lines']), output))
    else attachments.push(...shows)
  }
  if (texts.length + attachments.length > MESSAGE_FILES)
    throw new Problem('too_large', `at most ${MESSAGE_FILES} files can be attached to a message`)
  const text = [said.text, ...texts].join('')
  if (text.length > ALL_CHARS && texts.length > 0)
    throw new Problem(
      'too_large',
      'the attached files are too long for one message; name them without @, so that the agent reads what it needs',
    )
  return { ...said, text, attachments }
}
