import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { startRun } from '../../agent/run/start.ts'
import { newId } from '../../domain/id.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import type { Job } from '../../domain/job/job.ts'
import { Usage } from '../../domain/entry.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { builtInDir, loadRoles } from '../../roles/load.ts'
import type { Roles } from '../../roles/roles.ts'
import { jobs } from '../../store/tables.ts'
import { inThrowAway } from '../../worktrees/worktree.ts'
import { playExchange } from '../step/exchange.ts'
import { historyOf, InteractionNumber } from '../view/history.ts'
import { runLimits } from '../step/limits.ts'
import { jobAgent, jobContextIn, type JobContext } from '../context.ts'
import { NamedJob } from '../steward/decision.ts'
import { sourceOf } from '../workspace.ts'

/** What somebody else would have answered at one point of a job. */
type OtherAnswer = z.infer<typeof OtherAnswer>
const OtherAnswer = z.object({ sequence: z.int(), recorded: z.string(), now: z.string(), summary: z.string(), usage: Usage })

/** Each question in a throw-away checkout of the commit it was asked at. */
export const askOthers = defineOperation({
  name: 'job.counterfactual',
  summary: 'Put the recorded prompts to another model or role; the job itself does not change',
  by: ['person'],
  effect: 'change',
  command: 'job counterfactual [job]',
  input: NamedJob.extend({
    from: InteractionNumber.default(1).describe('only from this interaction on'),
    with_model: z.string().min(1).optional().describe('the model to ask; else those that were asked'),
    role: z.string().min(1).optional().describe('the role to ask in; else those that were asked'),
    role_file: z.string().min(1).optional().describe('the same by the path of its file'),
  }),
  output: z.object({ answers: z.array(OtherAnswer), stopped: z.boolean().describe('whether it was stopped before the last question') }),
  example: { job: 'greet', with_model: 'anthropic/claude-sonnet-4-5' },
  absent: { dry_run: 'what a model answers cannot be known without asking it' },
  tell: ({ answers }) => answers.map(({ sequence, recorded, now }) => `${sequence}: ${recorded} then, ${now} now`).join('\n'),
  run: async (context: JobContext, { job: id, from, with_model: model, role, role_file }) => {
    const { driver } = context.agent
    const { item: job } = await jobs.get(driver, id)
    const own = await jobContextIn(context, job)
    const steps = (await historyOf(driver, id, { after: from - 1 })).filter(({ simulated, repairing }) => !simulated && !repairing)
    return withRole(role_file, async (other) => {
      const here = { ...own, agent: { ...own.agent, roles: other?.roles ?? own.agent.roles } }
      const who = { model, role: other?.role ?? role }
      if (who.role !== undefined) here.agent.roles.need(who.role)
      const answers: OtherAnswer[] = []
      for (const step of steps) if (context.signal?.aborted !== true) answers.push(await askOne(here, job, step, who))
      return { answers, stopped: context.signal?.aborted === true }
    })
  },
})

/** Lends some work the role of a file, read as a user's own would be, beside the built-in roles; where no file is named, no other role. */
async function withRole<Result>(
  file: string | undefined,
  work: (other: { role: string; roles: Roles } | null) => Promise<Result>,
): Promise<Result> {
  if (file === undefined) return work(null)
  const folder = await mkdtemp(join(tmpdir(), 'troupe-role-'))
  try {
    await copyFile(file, join(folder, basename(file))).catch((cause: unknown) => {
      throw new Problem('bad_input', `the role file ${file} cannot be read; name a role file as roles/ has them`, { cause })
    })
    const roles = await loadRoles({ builtInDir, userDir: folder })
    const role = roles.list().find(({ source }) => source === 'user')
    if (role === undefined) throw new Problem('bad_input', `${file} holds no role`)
    return await work({ role: role.id, roles })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function askOne(
  context: JobContext,
  job: Job,
  step: JobInteraction,
  { model, role }: { model: string | undefined; role: string | undefined },
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
    return playExchange(agent, run, job, context.signal ?? new AbortController().signal)
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
