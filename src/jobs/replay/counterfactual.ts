import { startRun } from '../../agent/start.ts'
import { newId } from '../../domain/id.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Usage } from '../../domain/entry.ts'
import type { Roles } from '../../roles/roles.ts'
import { jobs } from '../../store/tables.ts'
import { inThrowAway } from '../../worktrees/worktree.ts'
import { playExchange } from '../step/exchange.ts'
import { historyOf } from '../view/history.ts'
import { runLimits } from '../step/limits.ts'
import { jobAgent, jobContextIn, type JobContext } from '../context.ts'
import { sourceOf } from '../workspace.ts'

/** What somebody else would have answered at one point of a job. */
export interface OtherAnswer {
  sequence: number
  recorded: string
  now: string
  summary: string
  usage: Usage
}

export interface CounterfactualRequest {
  from: number
  /** Another model for every seat. */
  model?: string | undefined
  /** Another role for every seat. */
  role?: string | undefined
  /** Where that role is found; else where the job finds its own. */
  roles?: Roles | undefined
}

/** Asks the recorded questions of somebody else, each in a throw-away checkout of the commit it was asked at. The job itself does not move. */
export async function askAgain(
  context: JobContext,
  jobId: string,
  { from, model, role, roles }: CounterfactualRequest,
  signal: AbortSignal,
): Promise<OtherAnswer[]> {
  const { driver } = context.agent
  const { item: job } = await jobs.get(driver, jobId)
  const own = await jobContextIn(context, job)
  const here = { ...own, agent: { ...own.agent, roles: roles ?? own.agent.roles } }
  const steps = (await historyOf(driver, jobId, { after: from - 1 })).filter(({ simulated, repairing }) => !simulated && !repairing)
  const answers: OtherAnswer[] = []
  for (const step of steps) if (!signal.aborted) answers.push(await askOne(here, job, step, { model, role }, signal))
  return answers
}

async function askOne(
  context: JobContext,
  job: Job,
  step: JobInteraction,
  { model, role }: Pick<CounterfactualRequest, 'model' | 'role'>,
  signal: AbortSignal,
): Promise<OtherAnswer> {
  const { roles, now } = context.agent
  const setting = job.roles[step.seat]
  const agent_role = role ?? setting.role
  const agent = jobAgent(context, job, step.seat, {})
  const { exchange, usage } = await inThrowAway(await sourceOf(job), step.commit_before, async (workspace) => {
    const run = await startRun(agent, {
      agent_role,
      model: model ?? context.modelFor(agent_role, setting.model),
      workspace,
      prompt: withoutRole(step.interaction.request.prompt, roles.resolve(setting.role).role.instructions),
      thread_id: newId(`job_${job.id}_replay`, now()),
      limits: runLimits(job, context.limits),
    })
    return playExchange(agent, run, job, signal)
  })
  const { response } = step.interaction
  const recorded = response.actions[0] ?? response.status
  if (exchange.type === 'command')
    return { sequence: step.sequence, recorded, now: exchange.command.action, summary: exchange.command.summary_for_supervisor, usage }
  const why = exchange.type === 'failed' ? exchange.failure.message : exchange.type === 'invalid' ? exchange.error : exchange.question
  return { sequence: step.sequence, recorded, now: exchange.type, summary: why, usage }
}

/** The recorded prompt begins with the instructions of the old role; the one who is asked now brings its own. */
function withoutRole(prompt: string, instructions: string): string {
  return prompt.startsWith(instructions) ? prompt.slice(instructions.length).trimStart() : prompt
}
