import * as z from 'zod'
import { JobLimits, JobSettings, type Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { fitting } from '../domain/text/schema-error.ts'
import { definedOnly, isRecord, layered } from '../domain/text/unknown-value.ts'
import { jobContextIn, type JobContext } from './context.ts'

const { max_iterations, max_retries, max_rounds, max_failures, max_turns } = JobLimits.shape
const minutes = z.number().positive().max(1e9)
const model = z.string().min(1).nullable().optional()

/** The settings of a job as people give them, each in a field of its own. What is left out stays as it is. */
export const SettingFields = z.strictObject({
  spec: z.record(z.string(), z.unknown()).optional().describe('settings as a document; fields given separately override it'),
  description: z.string().optional().describe('one line that says what the job is'),
  objective: z.string().optional().describe('what to achieve'),
  details: z.string().optional().describe('what else the agents must know'),
  acceptance: z.array(z.string().min(1)).optional().describe('the conditions the Supervisor judges by'),
  prompt: z.string().optional().describe('free text for the agents'),
  phase: z.array(z.string().regex(/\S/, 'is empty')).optional().describe('the phases in their order, each NAME or NAME: DESCRIPTION'),
  check: z
    .array(z.string().regex(/^[^=]+=[^]*\S/, 'is not NAME=COMMAND, such as tests="npm test"'))
    .optional()
    .describe('commands whose exit codes are shown next to the claims, each NAME=COMMAND'),
  worker_role: z.string().min(1).optional().describe('who works (worker)'),
  worker_model: model.describe('with which model or agent/NAME'),
  supervisor_role: z.string().min(1).optional().describe('who reviews (supervisor)'),
  supervisor_model: model.describe('with which model or agent/NAME'),
  temperature: z.number().min(0).max(2).nullable().optional().describe('of both agents; a Worker that starts over gets a higher one'),
  max_cost_usd: z
    .number()
    .nonnegative()
    .max(1e9)
    .nullable()
    .optional()
    .describe('stop before the next step once this many dollars are spent'),
  max_minutes: minutes.nullable().optional().describe('stop before the next step once agents have worked this long'),
  max_iterations: max_iterations.unwrap().optional().describe('stop after this many steps'),
  max_retries: max_retries.unwrap().optional().describe('fresh starts a Worker may ask for in a phase'),
  max_rounds: max_rounds.unwrap().optional().describe('times the Supervisor may send a phase back'),
  max_failures: max_failures.unwrap().optional().describe('failures in a row after which a person is needed'),
  max_turns: max_turns.unwrap().optional().describe('turns of an agent in one step'),
  max_step_minutes: minutes.optional().describe('how long one step may take'),
  max_silence_minutes: minutes.optional().describe('how long an agent may say and do nothing'),
  auto_approve: z.boolean().optional().describe('let phases pass without a person once the Supervisor approves'),
})
type SettingFields = z.output<typeof SettingFields>

/** The settings that fields name, over those of their document, in the shape of a job's record. */
export function settingsIn(fields: SettingFields): Record<string, unknown> {
  return layered(documentIn(fields), { ...textsIn(fields), ...rolesIn(fields), ...limitsIn(fields) })
}

/** Settings over those in force, or what is wrong with them. A limit that is not named stays as it is. */
export function settingsOver(before: Partial<JobSettings>, given: Readonly<Record<string, unknown>>): JobSettings {
  const whole = layered(JobSettings.parse(before), given)
  const settings = fitting(z.strictObject(JobSettings.shape), whole, 'these are not settings of a job')
  const names = settings.phases.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return settings
  throw new Problem('bad_input', `two phases are called ${twice}; each needs a name of its own`)
}

/** Refuses a Worker or Supervisor for which there is no role. */
export async function needRoles(context: JobContext, { roles, git_source_repo }: Pick<Job, 'roles' | 'git_source_repo'>): Promise<void> {
  const { agent } = await jobContextIn(context, { git_source_repo })
  for (const { role } of Object.values(roles)) agent.roles.need(role)
}

/** `{job_spec: {…}}` is taken too. */
function documentIn({ spec = {} }: SettingFields): Record<string, unknown> {
  const inner = spec['job_spec'] ?? spec
  if (isRecord(inner)) return inner
  throw new Problem('bad_input', 'job_spec is not an object with fields such as objective and phases')
}

function textsIn({ description, objective, details, acceptance, prompt, phase, check, auto_approve }: SettingFields): object {
  return definedOnly({
    description,
    objective,
    details,
    acceptance_criteria: acceptance,
    prompt,
    phases: phase?.map((text) => pairIn(text, ':', 'description')),
    checks: check?.map((text) => pairIn(text, '=', 'command')),
    auto_approve,
  })
}

/** `NAME: TEXT` as a name and what comes after the sign. */
function pairIn(text: string, sign: string, second: string): Record<string, string> {
  const [name = '', ...rest] = text.split(sign)
  return { name: name.trim(), ...(rest.length > 0 && { [second]: rest.join(sign).trim() }) }
}

function rolesIn({ temperature, worker_role, worker_model, supervisor_role, supervisor_model }: SettingFields): object {
  const worker = definedOnly({ role: worker_role, model: worker_model, temperature })
  const supervisor = definedOnly({ role: supervisor_role, model: supervisor_model, temperature })
  return Object.keys({ ...worker, ...supervisor }).length === 0 ? {} : { roles: { worker, supervisor } }
}

function limitsIn(fields: SettingFields): object {
  const { max_cost_usd, max_minutes, max_step_minutes, max_silence_minutes, ...same } = fields
  const limits = definedOnly({
    max_cost_microusd: scaled(max_cost_usd, 1_000_000),
    max_wall_ms: scaled(max_minutes, 60_000),
    max_iterations: same.max_iterations,
    max_retries: same.max_retries,
    max_rounds: same.max_rounds,
    max_failures: same.max_failures,
    max_turns: same.max_turns,
    max_step_ms: scaled(max_step_minutes, 60_000),
    max_silence_ms: scaled(max_silence_minutes, 60_000),
  })
  return Object.keys(limits).length === 0 ? {} : { limits }
}

/** Null takes a limit away, and what is left out stays. */
function scaled(value: number | null | undefined, by: number): number | null | undefined {
  return typeof value === 'number' ? Math.round(value * by) : value
}
