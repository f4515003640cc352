import type { Command } from 'commander'
import { leaveBoard } from '../../board/agent/leave.ts'
import type { BoardAgent } from '../../domain/board/agent.ts'
import { Problem } from '../../domain/problem.ts'
import { boardAgents } from '../../store/tables.ts'
import { boardVerb, changing } from './context.ts'

/** leave: the end of the registration that the terminal keeps between the commands of an agent. */
export function defineBoardWork(noun: Command): void {
  changing(boardVerb(noun, 'leave', 'give back what an agent holds and take its entry away'), async ({ board, identity }) => {
    const before = await boardAgents.items(board.driver, { where: { board_id: board.board_id } })
    const { agent, generation } = await identity()
    if (!before.some(({ id }) => id === agent)) throw new Problem('not_found', `${agent} is not on this board; ${whoIs(before)}`)
    await leaveBoard(board, { agent, generation }, 'left by hand')
    return { value: { left: agent }, text: `${agent} has left.` }
  })
}

function whoIs(agents: readonly BoardAgent[]): string {
  return agents.length === 0 ? 'nobody is' : `these are: ${agents.map(({ id }) => id).join(', ')}`
}
