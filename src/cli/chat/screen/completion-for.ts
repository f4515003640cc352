import type { AutocompleteItem, AutocompleteProvider, SlashCommand } from '@earendil-works/pi-tui'
import { filesLike } from '../../../chat/files/find-files.ts'
import { inLine } from '../../terminal.ts'
import { chatsHere, orders, rolesOf, type Talk } from '../orders.ts'
import { completion } from './complete.ts'

/** What can be completed in a chat: commands, roles, chats, and the files its role may read. */
export function completionFor(talking: Talk, workspace: string): AutocompleteProvider {
  const roles = async () => {
    const all = await rolesOf(talking)
    return all.ids.map((id) => ({ value: id, label: id, description: inLine(all.need(id).description) }))
  }
  const chats = async () => (await chatsHere(talking)).map(({ id, title }) => ({ value: id, label: id, description: inLine(title) }))
  const lists: Record<string, () => Promise<AutocompleteItem[]>> = { role: roles, resume: chats }
  const commands = Object.entries(orders).map(([name, { takes, about }]): SlashCommand => {
    const list = lists[name]
    return {
      name,
      description: about,
      ...(takes !== undefined && { argumentHint: takes }),
      ...(list && { getArgumentCompletions: async (typed: string) => (await list()).filter(({ value }) => value.startsWith(typed)) }),
    }
  })
  return completion(commands, workspace, (typed, signal) => filesLike(talking.context, talking.chatId, typed, signal))
}
