import { existsSync } from 'node:fs'
import type { AgentContext } from '../agent/agent.ts'
import { finalText } from '../agent/final-text.ts'
import { playRun } from '../agent/loop.ts'
import { startRun } from '../agent/start.ts'
import { isAgentWorking } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { sectionsOf } from './step/prompt.ts'
import { jobAgent, jobContextIn, type JobContext } from './context.ts'

/** Talks with an agent about a job, between its steps. The talk is remembered; the job does not move and its history does not grow. */
export async function chatAboutJob(context: JobContext, jobId: string, request: { text: string; role: string; signal: AbortSignal }) {
  const { driver } = context.agent
  if (request.text.trim() === '') throw new Problem('bad_input', `a talk about ${jobId} begins with words; say what you want to know`)
  const { item: job } = await jobs.get(driver, jobId)
  if (isAgentWorking(job.status)) throw new Problem('busy', `an agent of ${jobId} is at work; talk about it when the step has ended`)
  if (!existsSync(job.workspace)) throw noWorkspace(job)
  const here = await jobContextIn(context, job)
  const role = here.agent.roles.need(request.role)
  const during = jobAgent(here, job, 'supervisor', await sectionsOf(job))
  const agent: AgentContext = { ...during, tools: during.tools.filter(({ name, read_only }) => read_only && name !== 'exit') }
  const run = await startRun(agent, {
    agent_role: role.id,
    model: here.modelFor(role.id, null),
    workspace: job.workspace,
    prompt: request.text,
    thread_id: `job_${jobId}_chat`,
    limits: here.limits,
  })
  const played = await playRun(agent, run, request.signal)
  return { run: played, text: await finalText(driver, played) }
}

/** An agent that was let into the source repository instead could change what its user works on. */
function noWorkspace({ id, status }: Job): Problem {
  if (status === 'DRAFT') return new Problem('not_found', `the draft ${id} has no workspace yet; make it with troupe job activate ${id}`)
  return new Problem('not_found', `the workspace of ${id} is gone; what was said and done is shown by troupe job history ${id}`)
}
