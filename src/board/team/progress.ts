import { addUsage } from '../../agent/limits.ts'
import { noUsage, Usage } from '../../domain/entry.ts'
import { taskFlow, type TaskState } from '../../domain/board/task-flow.ts'
import type { RunEvent } from '../../domain/event.ts'
import { tasks } from '../../store/tables.ts'
import { readActivity } from '../activity.ts'
import type { BoardRef } from '../context.ts'

/** What an agent of this process is at. */
export interface AtWork {
  agent: string
  task: string | null
  tool: string
}

/** A team at one moment: for the terminal, and for anyone who reads its lines. */
export interface TeamProgress {
  tasks: Partial<Record<TaskState, number>>
  agents: AtWork[]
  cost_microusd: number | null
  estimated: boolean
  elapsed_ms: number
}

/** Keeps count of what the agents of this process do. */
export function followTeam(board: BoardRef) {
  const since = performance.now()
  const atWork = new Map<string, AtWork>()
  let spent: Usage = noUsage

  function hear(agent: string, task: string | null, event: RunEvent): void {
    if (event.type === 'result') atWork.delete(agent)
    if (event.type === 'init') atWork.set(agent, { agent, task, tool: '' })
    if (event.type === 'tool_use') atWork.set(agent, { agent, task, tool: event.tool })
    if (event.type === 'message') spent = addUsage(spent, event.usage)
  }

  async function look(): Promise<TeamProgress> {
    return {
      tasks: await tasksByState(board),
      agents: [...atWork.values()].toSorted((one, other) => one.agent.localeCompare(other.agent)),
      cost_microusd: spent.cost_microusd,
      estimated: spent.estimated === true,
      elapsed_ms: Math.round(performance.now() - since),
    }
  }

  return { hear, look }
}

/** How many tasks are in each state; states without tasks are left out. */
export async function tasksByState({ driver, board_id }: BoardRef): Promise<TeamProgress['tasks']> {
  const counted = await Promise.all(
    taskFlow.states.map(async (status) => [status, await tasks.count(driver, { board_id, status })] as const),
  )
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}

/** What all runs for a board have cost and how often models were asked, added up from its log; a killed run is not in it. */
export async function spentOn({ driver, board_id }: BoardRef) {
  const lines = await readActivity(driver, board_id, { limit: 1_000_000 })
  const ended = lines.filter((line) => line.action === 'run_ended')
  const usage = ended.map((line) => line.usage).reduce(addUsage, noUsage)
  return {
    runs: ended.length,
    turns: ended.reduce((sum, { turns }) => sum + turns, 0),
    cost_microusd: usage.cost_microusd,
    estimated: usage.estimated === true,
  }
}
