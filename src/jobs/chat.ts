import { existsSync } from 'node:fs'
import * as z from 'zod'
import type { AgentContext } from '../agent/agent.ts'
import { finalText } from '../agent/final-text.ts'
import { playRun } from '../agent/loop.ts'
import { startRun } from '../agent/run/start.ts'
import { isAgentWorking } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { Run } from '../domain/run.ts'
import { NonBlank } from '../domain/text/fields.ts'
import { jobs } from '../store/tables.ts'
import { jobAgent, jobContextIn, type JobContext } from './context.ts'
import { NamedJob } from './steward/decision.ts'
import { sectionsOf } from './step/prompt.ts'

/** The talk is remembered; the job does not move and its history does not grow. */
export const chatAboutJob = defineOperation({
  name: 'job.chat',
  summary: 'Ask an agent about a job, between its steps',
  by: ['person'],
  effect: 'change',
  command: 'job chat <job> <text...>',
  input: NamedJob.extend({
    text: NonBlank.max(100_000).describe('what you want to know'),
    role: z.string().min(1).default('reviewer').describe('who answers'),
  }),
  output: Run.pick({ status: true, reason: true }).extend({ text: z.string(), run_id: z.string() }),
  example: { job: 'greet', text: 'What is left to do?' },
  absent: { dry_run: 'what an agent answers cannot be known without asking it' },
  tell: ({ text }) => text,
  run: async (context: JobContext, { job: id, text, role: roleId }) => {
    const { driver } = context.agent
    const { item: job } = await jobs.get(driver, id)
    if (isAgentWorking(job.status)) throw new Problem('busy', `an agent of ${id} is at work; talk about it when the step has ended`)
    if (!existsSync(job.workspace)) throw noWorkspace(job)
    const here = await jobContextIn(context, job)
    const role = here.agent.roles.need(roleId)
    const during = jobAgent(here, job, 'supervisor', await sectionsOf(job))
    const agent: AgentContext = { ...during, tools: during.tools.filter(({ name, read_only }) => read_only && name !== 'exit') }
    const run = await startRun(agent, {
      agent_role: role.id,
      model: here.modelFor(role.id, null),
      workspace: job.workspace,
      prompt: text,
      thread_id: `job_${id}_chat`,
      limits: here.limits,
    })
    const { status, reason, ...played } = await playRun(agent, run, context.signal ?? new AbortController().signal)
    return { text: await finalText(driver, { ...played, status, reason }), run_id: played.id, status, reason }
  },
})

/** An agent that was let into the source repository instead could change what its user works on. */
function noWorkspace({ id, status }: Job): Problem {
  const input = { job: id }
  if (status === 'DRAFT')
    return new Problem('not_found', `the draft ${id} has no workspace yet; activate it`, { next: [{ operation: 'job.activate', input }] })
  return new Problem('not_found', `the workspace of ${id} is gone; its history tells what was said and done`, {
    next: [{ operation: 'job.history', input }],
  })
}
