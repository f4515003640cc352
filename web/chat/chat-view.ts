import type { OperationOutput } from '../../src/api/operations.ts'

/** A chat, opened. */
export type ChatView = OperationOutput<'chat.show'>

/** A chat in a list. */
export type ChatSummary = OperationOutput<'chat.list'>['chats'][number]
