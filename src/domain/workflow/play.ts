import * as z from 'zod'
import { defineFlow } from '../flow.ts'
import { Permission } from '../permission.ts'
import { RoleId } from '../role.ts'
import { Limits, LimitsChange } from '../run.ts'
import type { WorkflowRun } from './run.ts'

export const workflowPlayFlow = defineFlow({
  name: 'workflow play',
  states: ['playing', 'waiting', 'stopped', 'failed', 'completed'],
  initial: 'playing',
  person: { is: 'user', does: { resume: { operation: 'workflow.continue' }, stop: { operation: 'workflow.stop' } } },
  moves: {
    wait: { from: ['playing'], to: 'waiting', by: ['runtime'] },
    resume: { from: ['playing', 'waiting', 'stopped', 'failed'], to: 'playing', by: ['user'] },
    stop: { from: ['playing', 'waiting'], to: 'stopped', by: ['user', 'runtime'] },
    fail: { from: ['playing'], to: 'failed', by: ['runtime'] },
    complete: { from: ['playing'], to: 'completed', by: ['runtime'] },
  },
})

/** What a person chooses when they have a workflow played. */
export type PlayRequest = z.infer<typeof PlayRequest>
export const PlayRequest = z.strictObject({
  workspace: z.string().min(1),
  agent_role: RoleId.optional(),
  model: z.string().nullable().optional(),
  context: z.record(z.string(), z.unknown()).optional(),
  limits: LimitsChange.optional(),
})

/** A workflow run that our own agent carries out: what a person chose for it, and who is at it. The id is that of the run, and of its thread. */
export type WorkflowPlay = z.infer<typeof WorkflowPlay>
export const WorkflowPlay = z.object({
  id: z.string(),
  /** The role a person chose. A step may name another, which is then never more than this one. */
  agent_role: z.string(),
  model: z.string().nullable().default(null),
  workspace: z.string(),
  limits: Limits,
  /** How long it was worked on so far, by whichever processes; waiting for a person is not work. */
  worked_ms: z.int().nonnegative().default(0),
  status: z.enum(workflowPlayFlow.states),
  /** The code and the sentence of the problem it ended with. */
  reason: z.string().nullable().default(null),
  message: z.string().nullable().default(null),
  holder: z.string().nullable().default(null),
  lease_expires: z.iso.datetime().nullable().default(null),
  started_at: z.iso.datetime(),
})

/** Why a played step waits for a person; a question of the agent itself is in its own run. */
export const WaitsFor = z.enum(['confirmation', 'help', 'variable'])

/** How one step was played. Kept apart from the play, so that a long one stays cheap to carry on. */
export type WorkflowPlayStep = z.infer<typeof WorkflowPlayStep>
export const WorkflowPlayStep = z.object({
  id: z.string(),
  run_id: z.string(),
  number: z.int().nonnegative(),
  agent_role: z.string(),
  permissions: z.array(Permission),
  /** What its role would allow and the role a person chose does not. */
  capped: z.array(Permission),
  /** The agent's runs on it, the last of which counts. */
  runs: z.array(z.string()),
  /** How often its output was refused since a person last looked. */
  attempts: z.int().nonnegative(),
  refusals: z.array(z.object({ issues: z.array(z.string()), at: z.iso.datetime() })),
  waits_for: WaitsFor.nullable(),
  question_id: z.string().nullable(),
  started_at: z.iso.datetime(),
})

/** What of a run tells what state it is in; `play` is null when an outside client carries it out. */
export interface StandingRun {
  status: WorkflowRun['status']
  waits_for_confirmation: boolean
  play: { status: WorkflowPlay['status']; at_work: boolean } | null
}

/** What state a run is in, in the words that people read. */
export function runStanding({ status, play, waits_for_confirmation }: StandingRun) {
  if (status === 'completed') return 'completed'
  if (play === null) return waits_for_confirmation ? 'needs you' : 'open'
  if (play.status === 'waiting') return 'needs you'
  if (play.status === 'failed' || play.status === 'stopped') return play.status
  return play.at_work ? 'at work' : 'interrupted'
}
