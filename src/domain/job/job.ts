import * as z from 'zod'
import { Usage } from '../entry.ts'
import { JobActor, jobFlow, JobSeat } from './flow.ts'
import { InteractionRequest } from './history.ts'

/** The name of a job: it becomes a folder and a branch. */
export const JobId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/i, 'letters, digits, _ and -, starting with a letter or digit, at most 63')

/** A stage of a job. The phases are worked through in their order, each reviewed and approved by itself. */
export type JobPhase = z.infer<typeof JobPhase>
export const JobPhase = z.strictObject({
  name: z.string().min(1).max(80),
  description: z.string().default(''),
  worker_instructions: z.string().default(''),
})

/** A command that is run after the Worker; its real exit code is beside the Worker's claims. */
export type JobCheck = z.infer<typeof JobCheck>
export const JobCheck = z.strictObject({
  name: z.string().min(1).max(80),
  command: z.string().min(1),
  timeout_ms: z.int().positive().default(600_000),
})

/** What a job may use. The first three stop it before its next step; the others bound one step or one phase. */
export type JobLimits = z.infer<typeof JobLimits>
export const JobLimits = z.strictObject({
  max_cost_microusd: z.int().nonnegative().nullable().default(null),
  max_wall_ms: z.int().positive().nullable().default(null),
  max_iterations: z.int().positive().default(50),
  max_retries: z.int().nonnegative().default(3),
  max_rounds: z.int().positive().default(5),
  max_failures: z.int().nonnegative().default(3),
  max_turns: z.int().positive().default(100),
  max_step_ms: z.int().positive().default(3_600_000),
  max_silence_ms: z.int().positive().default(600_000),
})

/** Who sits in a seat: any role, with a model or outside agent of its own where one is named. */
export type JobSeatSetting = z.infer<typeof JobSeatSetting>
export const JobSeatSetting = z.strictObject({
  role: z.string().min(1),
  model: z.string().min(1).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
})

/** Why a job waits for its Steward. */
export const JobReason = z.enum(['cost', 'time', 'iterations', 'stuck', 'question', 'invalid', 'retries', 'rounds', 'failures', 'error'])
export type JobReason = z.infer<typeof JobReason>

/** Something the next agent must read: what the Supervisor sent back, what the Steward decided, what went wrong. */
export type JobNote = z.infer<typeof JobNote>
export const JobNote = z.object({ from: JobActor, text: z.string(), at: z.iso.datetime() })

/** The agent at work, written before it starts, so that anyone can tell who it is and whether it still lives. */
export type JobActive = z.infer<typeof JobActive>
export const JobActive = z.object({
  /** The id its interaction will have: an exchange is recorded once, whoever finishes it. */
  exchange_id: z.string(),
  /** Null where a person gives the answer. */
  run_id: z.string().nullable(),
  seat: JobSeat,
  pid: z.int(),
  host: z.string(),
  holder: z.string(),
  started_at: z.iso.datetime(),
  heartbeat_at: z.iso.datetime(),
  attempt: z.int().positive(),
  request: InteractionRequest,
  /** The answer had no valid exit command and is being asked for again; there is no second repair. */
  repairing: z.boolean(),
  commit_before: z.string(),
  /** What git ignored in the workspace when a Worker began, so that a fresh start removes only what came after; null where nobody looked. */
  ignored_before: z.array(z.string()).nullable().default(null),
  state_before: z.enum(jobFlow.states),
})

/** What a person sets; the rest of a job is Troupe's own record. */
export type JobSettings = z.infer<typeof JobSettings>
export const JobSettings = z.object({
  description: z.string().default(''),
  objective: z.string().default(''),
  details: z.string().default(''),
  acceptance_criteria: z.array(z.string().min(1)).default([]),
  prompt: z.string().default(''),
  phases: z.array(JobPhase).default([]),
  roles: z
    .strictObject({
      worker: JobSeatSetting.prefault({ role: 'worker' }),
      supervisor: JobSeatSetting.prefault({ role: 'supervisor' }),
    })
    .prefault({}),
  limits: JobLimits.prefault({}),
  checks: z.array(JobCheck).default([]),
  auto_approve: z.boolean().default(false),
})

/** A job: a directory, a branch, and how far the work on it is. `job_manifest.json` is this record. */
export type Job = z.infer<typeof Job>
export const Job = JobSettings.extend({
  id: JobId,
  status: z.enum(jobFlow.states),
  /** What SUSPENDED returns to. */
  suspended_from: z.enum(jobFlow.states).nullable().default(null),
  reason: JobReason.nullable().default(null),
  reason_text: z.string().default(''),
  current_phase: z.string().nullable().default(null),
  feedback: z.array(JobNote).default([]),
  rank: z.int().default(0),

  directory: z.string(),
  workspace: z.string(),
  git_source_repo: z.string(),
  base: z.string(),
  base_branch: z.string().nullable().default(null),
  base_commit: z.string().nullable().default(null),
  phase_commit: z.string().nullable().default(null),
  head_commit: z.string().nullable().default(null),
  branch: z.string(),
  merged_commit: z.string().nullable().default(null),

  active: JobActive.nullable().default(null),
  iterations: z.int().nonnegative().default(0),
  retries: z.int().nonnegative().default(0),
  rounds: z.int().nonnegative().default(0),
  failures: z.int().nonnegative().default(0),
  /** Not tried again before this moment, after a failure that may pass. */
  not_before: z.iso.datetime().nullable().default(null),
  usage: Usage.prefault({ cost_microusd: 0 }),
  worked_ms: z.int().nonnegative().default(0),

  moves: z.int().nonnegative().default(0),
  history: z.object({ interactions: z.int().nonnegative(), parts: z.int().nonnegative(), bytes: z.int().nonnegative() }).prefault({
    interactions: 0,
    parts: 0,
    bytes: 0,
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** One move of a job, kept for ever: who made it, from where to where, and why. */
export type JobMove = z.infer<typeof JobMove>
export const JobMove = z.object({
  id: z.string(),
  job_id: z.string(),
  number: z.int().positive(),
  at: z.iso.datetime(),
  move: z.string(),
  actor: JobActor,
  from: z.enum(jobFlow.states),
  to: z.enum(jobFlow.states),
  phase: z.string().nullable(),
  note: z.string(),
  /** The interaction it followed from; null for a person's move. */
  sequence: z.int().positive().nullable(),
})

/** A job in a few words. */
export function jobTitle({ description, objective, prompt, id }: Job): string {
  return description || objective || prompt.split('\n')[0] || id
}

/** The phase that is being worked on, with a stand-in for a job that has none. */
export function phaseOf(job: Pick<Job, 'phases' | 'current_phase'>): JobPhase & { number: number; of: number } {
  const at = Math.max(
    0,
    job.phases.findIndex((phase) => phase.name === job.current_phase),
  )
  const phase = job.phases[at] ?? { name: 'default', description: '', worker_instructions: '' }
  return { ...phase, number: at + 1, of: Math.max(1, job.phases.length) }
}
