import * as z from 'zod'
import { ChangedFile } from '../changed-file.ts'
import { ExitAction, ExitCommand } from './exit-command.ts'
import { Usage } from '../entry.ts'
import { jobFlow, JobSeat } from './flow.ts'

/** What was sent to the agent of one interaction. */
export type InteractionRequest = z.infer<typeof InteractionRequest>
export const InteractionRequest = z.object({
  prompt: z.string(),
  files_context: z.array(z.string()).describe('the files the agent was given and those it read, relative to the workspace'),
  metadata: z.object({
    role: z.string(),
    phase: z.string(),
    model: z.string(),
    temperature: z.number().nullable().describe('null where none is set and the provider’s own holds'),
  }),
})

/** SUCCESS: a valid exit command. INVALID: an answer without one. ERROR: no answer. TIMEOUT: silence, or no time left. */
export const ResponseStatus = z.enum(['SUCCESS', 'INVALID', 'ERROR', 'TIMEOUT'])

/** What came back. `raw_response` is kept whatever it was. */
export type InteractionResponse = z.infer<typeof InteractionResponse>
export const InteractionResponse = z.object({
  status: ResponseStatus,
  actions: z.array(ExitAction),
  evidence_files: z.array(z.string()),
  summary_for_supervisor: z.string(),
  raw_response: z.string(),
})

/** One exchange with an agent, exactly as `jobHistory.json` keeps it. */
export type Interaction = z.infer<typeof Interaction>
export const Interaction = z.object({
  sequence: z.int().positive(),
  timestamp: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'YYYY-MM-DDTHH:MM:SSZ'),
  state_before: z.enum(jobFlow.states),
  workspace_path: z.string(),
  request: InteractionRequest,
  response: InteractionResponse,
})

/** The whole file. */
export const JobHistory = z.object({ interactions: z.array(Interaction) })

/** A claimed file beside what the repository says of it. */
export type ClaimedFile = z.infer<typeof ClaimedFile>
export const ClaimedFile = z.object({
  path: z.string(),
  found: z.enum(['changed', 'unchanged', 'missing', 'outside', 'refused']),
  detail: z.string(),
})

/** What an agent claims, beside what is so. */
export type Evidence = z.infer<typeof Evidence>
export const Evidence = z.object({
  claimed: z.array(ClaimedFile),
  changed: z.array(ChangedFile),
  unclaimed: z.array(z.string()),
})

/** How a configured check ended. `exit_code` is null where it did not end by itself, or was not run. */
export type CheckResult = z.infer<typeof CheckResult>
export const CheckResult = z.object({
  name: z.string(),
  command: z.string(),
  passed: z.boolean(),
  exit_code: z.int().nullable(),
  output: z.string(),
  took_ms: z.number(),
})

/** Why an exchange brought no answer; `transient` failures are tried again. */
export type StepFailure = z.infer<typeof StepFailure>
export const StepFailure = z.object({ code: z.string(), message: z.string(), transient: z.boolean() })

/** The settings of a job on which it depends where an exchange leads. */
export const DecidingSettings = z.object({
  auto_approve: z.boolean(),
  limits: z.object({ max_retries: z.int(), max_rounds: z.int(), max_failures: z.int() }),
})

/** What a Worker that starts over had left: the ref that keeps it, and the commit and the ignored files its workspace went back to. */
export type SetAside = z.infer<typeof SetAside>
export const SetAside = z.object({ ref: z.string(), restored_to: z.string(), ignored: z.array(z.string()).nullable().default(null) })

/** An interaction as the store keeps it: the file's part whole, and what Troupe itself knows of the exchange. */
export type JobInteraction = z.infer<typeof JobInteraction>
export const JobInteraction = z.object({
  id: z.string(),
  job_id: z.string(),
  sequence: z.int().positive(),
  run_id: z.string().nullable(),
  seat: JobSeat,
  attempt: z.int().positive(),
  round: z.int().nonnegative(),
  /** How many moves its job had made when it began: where it is among them. */
  after_move: z.int().nonnegative(),
  repairing: z.boolean(),
  state_after: z.enum(jobFlow.states),
  /** The settings by which that was decided; they may be changed later. Null in a record of before they were kept. */
  settings: DecidingSettings.nullable().default(null),
  /** Nobody was asked: a person gave the answer to `poststep`. */
  simulated: z.boolean(),
  failure: StepFailure.nullable(),
  /** A question the agent put where nobody could answer it. */
  question: z.string().nullable(),
  commit_before: z.string(),
  /** What git ignored in the workspace at that moment; null where nobody looked, or there was too much. */
  ignored_before: z.array(z.string()).nullable().default(null),
  commit_after: z.string(),
  set_aside: SetAside.nullable().default(null),
  evidence: Evidence,
  checks: z.array(CheckResult),
  usage: Usage,
  took_ms: z.int().nonnegative(),
  interaction: Interaction,
})

/** The exchange as it is published: what an agent is sent, and the exit command it must return. */
export const LlmChat = z
  .strictObject({ request: InteractionRequest.optional(), response: ExitCommand.optional() })
  .refine(({ request, response }) => request !== undefined || response !== undefined, 'holds a request, a response or both')
  .meta({ minProperties: 1 })

/** The published schema of an exit command. */
export function exitCommandJsonSchema(): object {
  return { ...z.toJSONSchema(ExitCommand, { io: 'input' }), title: 'Exit command' }
}

/** The published schema of an exchange. */
export function llmChatJsonSchema(): object {
  return { ...z.toJSONSchema(LlmChat, { io: 'input' }), title: 'Exchange with an agent of a job' }
}

/** Where today's program would go another way than the recorded one. */
export type ReplayDifference = z.infer<typeof ReplayDifference>
export const ReplayDifference = z.object({
  sequence: z.int(),
  what: z.enum(['state_before', 'command', 'state_after', 'move']),
  recorded: z.string(),
  now: z.string(),
})
