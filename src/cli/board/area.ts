import type { BoardContext } from '../../board/context.ts'
import { inRepository, onBoard } from './context.ts'
import type { CommandArea } from '../operation-commands.ts'

/** The board of a repository, used by the person at the terminal or by the agent of `--as`. */
export const boardArea: CommandArea<BoardContext> = {
  addOptions(command, { effect }) {
    inRepository(command).option('--board <id>', 'another board than the one of this project')
    if (effect !== 'read') command.option('--as <agent>', 'act as this agent, such as coder-1; else TROUPE_AGENT_ID, else you')
  },
  within: (options, { effect }, work) => onBoard(options, effect, work),
}
