import type { Agent } from '../agent/agent.ts'
import type { Playing } from '../agent/background.ts'
import type { Permission } from '../domain/permission.ts'
import type { Progress } from '../domain/workflow-view.ts'

/** Where this process plays its workflows: the agent it lends them, and those that are on at this moment. */
export interface PlayStage {
  agent: Agent
  /** The model a step gets: the one a person chose, else the role's, else the configured one. */
  modelFor: (agentRole: string, chosen: string | null) => string
  /** Hears how the steps go, in the words people may read. */
  onNews: (news: PlayNews) => void
  playing: Playing
}

/** What happened to a step. */
export type PlayNews = { run: string; title: string } & (
  | { type: 'begins'; progress: Progress | null; agent_role: string; capped: readonly Permission[] }
  | { type: 'refused'; issues: readonly string[] }
  | { type: 'waits'; question: string }
  | { type: 'done'; output: string }
)

export function openPlayStage(agent: Agent, modelFor: PlayStage['modelFor'], onNews: PlayStage['onNews'] = () => undefined): PlayStage {
  return { agent, modelFor, onNews, playing: new Map() }
}
