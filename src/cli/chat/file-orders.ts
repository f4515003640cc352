import { restoreChat, showChanges, showCheckpoints, undoChat } from '../../chat/undo.ts'
import { Problem } from '../../domain/problem.ts'
import { shown } from '../terminal.ts'
import type { Talk } from './orders.ts'

/** Takes back what the last turn did to files. */
export async function orderUndo({ context, chatId, tell }: Talk, rest: string): Promise<void> {
  const input = { chat: chatId, force: rest === 'force' }
  tell(shown(undoChat.tell(await undoChat.run(context, input))))
}

/** Shows what changed in files. */
export async function orderDiff({ context, chatId, tell }: Talk, rest: string): Promise<void> {
  const since = rest === '' ? undefined : numberIn(rest)
  tell(shown(showChanges.tell(await showChanges.run(context, { chat: chatId, since }))))
}

/** Lists the checkpoints, or puts files back. */
export async function orderRestore({ context, chatId, tell }: Talk, rest: string): Promise<void> {
  if (rest === '') return tell(shown(showCheckpoints.tell(await showCheckpoints.run(context, { chat: chatId }))))
  const [number = '', word] = rest.split(/\s+/)
  tell(shown(restoreChat.tell(await restoreChat.run(context, { chat: chatId, checkpoint: numberIn(number), force: word === 'force' }))))
}

function numberIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Problem('bad_input', `${text} is not the number of a checkpoint; /restore lists them`)
}
