import type { AgentContext } from '../agent/agent.ts'
import { contextIn, type ProcessContext } from '../agent/folder-context.ts'
import { handingOver } from '../domain/chat.ts'
import type { Job } from '../domain/job/job.ts'
import type { JobSeat } from '../domain/job/flow.ts'
import type { Run } from '../domain/run.ts'
import type { PromptParts } from '../roles/prompt.ts'
import { dryRun } from '../store/dry-run.ts'
import { exitTool } from './step/exit-tool.ts'

/** What looking at jobs needs: neither roles nor a sandbox. */
export interface JobReader {
  agent: Pick<AgentContext, 'driver'>
}

/** Where this process works on its jobs: what holds in their repositories, and where their directories lie. */
export interface JobContext extends ProcessContext {
  jobsDir: string
  /** Only tried: the store takes everything back, and files and git are left alone. */
  dry?: boolean
  /** Ends the work of an agent that somebody waits for. */
  signal?: AbortSignal
}

/** Does some work as a dry run: with the driver of a transaction that is taken back, wherever the work looks for one. */
export function tryInJobs<Context extends JobContext, Result>(
  context: Context,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  return dryRun(context.agent.driver, (driver) => {
    const at = async (folder: string) => {
      const there = await context.at(folder)
      return { ...there, agent: { ...there.agent, driver } }
    }
    return work({ ...context, agent: { ...context.agent, driver }, at, dry: true })
  })
}

/** The context with what holds in the repository of a job. What is in its worktree does not count: the agents write there. */
export function jobContextIn(context: JobContext, { git_source_repo }: Pick<Job, 'git_source_repo'>): Promise<JobContext> {
  return contextIn(context, git_source_repo)
}

/** The agent as a step has it: nobody to ask, an exit to take, and a worktree of its own in which even deleting can be undone. */
export function jobAgent(context: JobContext, job: Job, seat: JobSeat, sections: NonNullable<PromptParts['sections']>): AgentContext {
  const { agent } = context
  return {
    ...agent,
    tools: [...agent.tools.filter(({ name }) => !handingOver.includes(name)), exitTool],
    sections,
    checkpoints: undefined, // its worktree is committed after each step
    approvals: { tools: { delete_file: 'allow', ...agent.approvals.tools }, never_ask: true },
    chosenModelFor: (run) => withTemperature(agent, run, temperatureOf(job, seat)),
  }
}

const WARMER = 0.1

/** A Worker that starts over gets another temperature than the one that failed. */
export function temperatureOf(job: Job, seat: JobSeat): number | null {
  const { temperature } = job.roles[seat]
  if (temperature === null) return null
  return seat === 'worker' ? Math.min(2, Math.round((temperature + job.retries * WARMER) * 100) / 100) : temperature
}

async function withTemperature(agent: AgentContext, run: Run, temperature: number | null) {
  const performer = await agent.chosenModelFor(run)
  if (temperature === null) return performer
  const { provider } = performer
  const ask: typeof provider.ask = (request, ...rest) => provider.ask({ ...request, temperature }, ...rest)
  return { ...performer, provider: { ...provider, ask } }
}
