import type { Agent } from '../agent/agent.ts'
import { handingOver } from '../domain/chat.ts'
import type { Job } from '../domain/job.ts'
import type { JobSeat } from '../domain/job-flow.ts'
import type { Run } from '../domain/run.ts'
import type { PromptParts } from '../roles/prompt.ts'
import { exitTool } from './exit-tool.ts'

/** Where this process works on its jobs: the agent it lends them, and where their directories lie. */
export interface JobStage {
  agent: Agent
  /** The model a run gets: the one that was chosen, else the role's, else the configured one. */
  modelFor: (agentRole: string, chosen: string | null) => string
  jobsDir: string
  /** Values that must not be written down. */
  secrets: readonly string[]
  /** The user lets commands run bare where no sandbox works. */
  unsandboxed: boolean
}

/** The agent as a step has it: nobody to ask, an exit to take, and a worktree of its own in which even deleting can be undone. */
export function agentOf(stage: JobStage, job: Job, seat: JobSeat, sections: NonNullable<PromptParts['sections']>): Agent {
  const { agent } = stage
  return {
    ...agent,
    tools: [...agent.tools.filter(({ name }) => !handingOver.includes(name)), exitTool],
    sections,
    approvals: { tools: { delete_file: 'allow', ...agent.approvals.tools }, never_ask: true },
    performerFor: (run) => withTemperature(agent, run, temperatureOf(job, seat)),
  }
}

const WARMER = 0.1

/** A Worker that starts over gets another temperature than the one that failed. */
export function temperatureOf(job: Job, seat: JobSeat): number | null {
  const { temperature } = job.roles[seat]
  if (temperature === null) return null
  return seat === 'worker' ? Math.min(2, Math.round((temperature + job.retries * WARMER) * 100) / 100) : temperature
}

async function withTemperature(agent: Agent, run: Run, temperature: number | null) {
  const performer = await agent.performerFor(run)
  if (temperature === null) return performer
  const { provider } = performer
  const ask: typeof provider.ask = (request, ...rest) => provider.ask({ ...request, temperature }, ...rest)
  return { ...performer, provider: { ...provider, ask } }
}
