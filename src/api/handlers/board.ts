import { freeAgentId } from '../../board/agent/free-agent.ts'
import type { boardContract } from '../contract/board.ts'
import type { Handlers } from '../dispatch.ts'
import { USER } from './desk.ts'

export const boardHandlers: Handlers<keyof typeof boardContract> = {
  freeAgent: async ({ params, body }, { driver }) => {
    return freeAgentId.run({ driver, board_id: params.id, actor: { human: USER } }, { agent: params.agent, ...body })
  },
}
