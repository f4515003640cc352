import * as z from 'zod'
import {
  CheckpointView,
  diffThread,
  FileDiffs,
  GoneBack,
  listCheckpoints,
  restoreThread,
  undoTurn,
  type UndoContext,
} from '../agent/undo.ts'
import { changesText, checkpointLine, goneBackText } from '../agent/undo-text.ts'
import { ChatId } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { oneFile } from '../domain/changed-file.ts'
import { chats } from '../store/tables.ts'
import type { ChatContext } from './context.ts'
import { openRunOf } from './view.ts'

const force = z.boolean().default(false).describe('also put back files that were changed since; what is there now is kept first')
const checkpoint = z.coerce.number().int().min(1).describe('the number of a checkpoint')

/** A checkpoint in a list, with what the turn began with. */
export const showCheckpoints = defineOperation({
  name: 'chat.checkpoints',
  summary: 'List the turns of a chat that changed files, oldest first',
  by: ['person'],
  effect: 'read',
  command: 'chat checkpoints <chat>',
  input: z.strictObject({ chat: ChatId }),
  output: z.object({ checkpoints: z.array(CheckpointView) }),
  example: { chat: 'chat_01' },
  tell: (listed) =>
    listed.checkpoints.length === 0 ? 'No turn of this chat has changed files.' : listed.checkpoints.map(checkpointLine).join('\n'),
  run: async (context: ChatContext, { chat }) => ({ checkpoints: await listCheckpoints(await undoContext(context, chat)) }),
})

export const undoChat = defineOperation({
  name: 'chat.undo',
  summary: 'Undo what the last turn of a chat did to files; again for the turn before',
  by: ['person'],
  effect: 'change',
  command: 'chat undo <chat>',
  input: z.strictObject({ chat: ChatId, force }),
  output: GoneBack,
  example: { chat: 'chat_01' },
  tell: goneBackText,
  run: async (context: ChatContext, input) => {
    await refuseRunning(context, input.chat)
    const forced = { operation: 'chat.undo', input: { chat: input.chat, force: true } }
    return undoTurn(await undoContext(context, input.chat), { force: input.force, forced })
  },
})

export const restoreChat = defineOperation({
  name: 'chat.restore',
  summary: 'Put the files of a chat back as they were before a checkpoint; restore the checkpoint of an undo to redo',
  by: ['person'],
  effect: 'change',
  command: 'chat restore <chat> <checkpoint>',
  input: z.strictObject({ chat: ChatId, checkpoint, force }),
  output: GoneBack,
  example: { chat: 'chat_01', checkpoint: 1 },
  tell: goneBackText,
  run: async (context: ChatContext, input) => {
    await refuseRunning(context, input.chat)
    const forced = { operation: 'chat.restore', input: { ...input, force: true } }
    return restoreThread(await undoContext(context, input.chat), { to: input.checkpoint, force: input.force, forced })
  },
})

export const showChanges = defineOperation({
  name: 'chat.changes',
  summary: 'Show what agents changed in files: since the chat began, since a checkpoint or in one turn',
  by: ['person'],
  effect: 'read',
  command: 'chat changes <chat>',
  input: z.strictObject({ chat: ChatId, since: checkpoint.optional(), turn: checkpoint.optional(), file: oneFile }),
  output: FileDiffs,
  example: { chat: 'chat_01' },
  tell: changesText,
  run: async (context: ChatContext, { chat, ...which }) => ({ files: await diffThread(await undoContext(context, chat), which) }),
})

/** The files of a chat, and where they are kept. */
export async function undoContext(context: ChatContext, chatId: string): Promise<UndoContext> {
  const { driver, now } = context.agent
  const { item: chat } = await chats.get(driver, chatId)
  const { agent } = await context.at(chat.workspace)
  return { driver, checkpoints: agent.checkpoints, workspace: chat.workspace, thread_id: chat.id, now: now(), dry: context.dry === true }
}

/** What is about to be written would be mixed with what is put back. */
async function refuseRunning({ agent: { driver } }: ChatContext, chatId: string): Promise<void> {
  const run = await openRunOf(driver, chatId)
  if (run?.status !== 'running') return
  throw new Problem('busy', `a turn of the chat ${chatId} is running; stop it first`, {
    next: [{ operation: 'chat.stop', input: { chat: chatId } }],
  })
}
