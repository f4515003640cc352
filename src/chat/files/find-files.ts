import * as z from 'zod'
import { ChatId } from '../../domain/chat.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { ChatContext } from '../context.ts'
import { readAsRole } from './read-as-role.ts'

/** More are not looked at, and fewer shown. */
const FOUND = 500
const SHOWN = 30

/** For what a person completes after an @. */
export const findFiles = defineOperation({
  name: 'chat.find_files',
  summary: 'Find files that the role of a chat may read by the beginning of a path',
  by: ['person'],
  effect: 'read',
  command: 'chat files <chat> [path]',
  input: z.strictObject({ chat: ChatId, path: z.string().max(500).default('').describe('a folder and letters of a name, such as src/ma') }),
  output: z.object({ paths: z.array(z.string()) }),
  example: { chat: 'chat_01', path: 'src/ma' },
  tell: ({ paths }) => (paths.length === 0 ? 'No file fits.' : paths.join('\n')),
  run: async (context: ChatContext, { chat, path }) => ({
    paths: await filesLike(context, chat, path, new AbortController().signal),
  }),
})

/** Files whose name holds the letters behind the last slash, in the folder before it: the closest first. */
export async function filesLike(context: ChatContext, chatId: string, typed: string, signal: AbortSignal): Promise<string[]> {
  const cut = typed.lastIndexOf('/') + 1
  const [folder, letters] = [typed.slice(0, cut) || '.', typed.slice(cut)]
  const input = { path: folder, pattern: globFor(letters), max_results: FOUND }
  const { outcome, output } = await readAsRole(context, chatId, 'find_files', input, signal)
  if (outcome !== 'ok') return []
  const found = output.split('\n').filter((line) => !line.startsWith('[') && !line.startsWith('no file fits '))
  return found.toSorted(byCloseness(letters)).slice(0, SHOWN)
}

/** Names that begin with the letters before those that hold them, and what is near before what is deep. */
function byCloseness(letters: string) {
  const begins = (path: string) => (nameOf(path).toLowerCase().startsWith(letters.toLowerCase()) ? 0 : 1)
  return (a: string, b: string) => begins(a) - begins(b) || depthOf(a) - depthOf(b) || a.localeCompare(b)
}

function depthOf(path: string): number {
  return path.split('/').length
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A glob for names that hold these letters, large or small. */
function globFor(letters: string): string {
  const each = Array.from(letters, (letter) => {
    if (/[a-z]/i.test(letter)) return `[${letter.toLowerCase()}${letter.toUpperCase()}]`
    return /[\w.-]/.test(letter) ? letter : '?'
  })
  return `*${each.join('')}${letters === '' ? '' : '*'}`
}
