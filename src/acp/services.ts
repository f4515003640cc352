import type { ChatContext } from '../chat/context.ts'
import type { RunEvent } from '../domain/event.ts'

/** What editors are served with. It is opened by the first request that needs it, so that a handshake costs nothing. */
export interface AcpServices {
  context: ChatContext
  /** Lines that begin with a slash, the same as in the terminal. */
  commands: readonly AcpCommand[]
  /** Carries out a line that is a command, or an answer to what waits; says whether it was one. `tell` shows what it has to say. */
  obey(chatId: string, line: string, tell: (text: string) => void): Promise<boolean>
  /** The models a person can choose from, in the words that settings use. */
  models: readonly string[]
  close(): Promise<void>
}

export interface AcpCommand {
  name: string
  description: string
  /** What is written after the name. */
  hint: string | undefined
}

/** Opens the services; what happens in runs is told to `onEvent`. */
export type OpenServices = (onEvent: (event: RunEvent) => void) => Promise<AcpServices>
