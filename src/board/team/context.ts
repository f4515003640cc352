import type { AgentContext } from '../../agent/agent.ts'
import type { TeamRole } from '../../domain/board/agent.ts'
import type { RunEvent } from '../../domain/event.ts'
import type { NextStep } from '../../domain/problem.ts'
import type { Limits } from '../../domain/run.ts'
import type { BoardWorkspace } from '../context.ts'
import type { BoardFeed } from './board-feed.ts'

/** How much may be spent, in micro-dollars; null is no limit. The sums count what every process has spent. */
export interface Budgets {
  task_microusd: number | null
  team_microusd: number | null
  /** Of one day by the store's clock, in UTC. */
  day_microusd: number | null
}

/** How long things are waited for. */
export interface Pace {
  /** Between two tries to claim: at random between these. */
  contention_ms: readonly [number, number]
  /** Before the first restart of an agent that changed nothing; doubled with each. */
  restart_ms: number
  restart_cap_ms: number
  /** An agent that says and does nothing for so long hangs, and is started again. */
  silence_ms: number
}

export const usualPace: Pace = { contention_ms: [1_000, 5_000], restart_ms: 2_000, restart_cap_ms: 120_000, silence_ms: 600_000 }

/** What a process lends to the agents it supervises. */
export interface TeamContext {
  board: BoardWorkspace
  /** Plays the runs; tools of the board are added for each agent. */
  agent: AgentContext
  /** Of the models of a role, the first whose limit is not reached. */
  modelOf: (role: TeamRole) => string | Promise<string>
  limits: Partial<Limits>
  budgets: Budgets
  pace: Pace
  feed: BoardFeed
  /** Hears of what the runs of an agent do. */
  onRun: (agentId: string, task: string | null, event: RunEvent) => void
  /** Hears of what the supervising process has to say to the person beside it. */
  say: (text: string, next?: readonly NextStep[]) => void
}
