import { freeAgentId } from '../../board/agent/free-agent.ts'
import type { boardContract } from '../contract/board.ts'
import type { Handlers } from '../dispatch.ts'
import { USER } from './desk.ts'

export const boardHandlers: Handlers<keyof typeof boardContract> = {
  freeAgent: async ({ params, body }, { driver }) => {
    return { tasks: await freeAgentId({ driver, board_id: params.id }, USER, params.agent, body) }
  },
}
