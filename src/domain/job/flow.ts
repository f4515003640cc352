import * as z from 'zod'
import { defineFlow } from '../flow.ts'
import type { ExitAction } from './exit-command.ts'

/** Who sits where in a job: one does the work, the other judges it. */
export type JobSeat = z.infer<typeof JobSeat>
export const JobSeat = z.enum(['worker', 'supervisor'])

/** Who moves a job: the agent in a seat, its Steward, or Troupe itself. */
export type JobActor = z.infer<typeof JobActor>
export const JobActor = z.enum([...JobSeat.options, 'steward', 'runtime'])

/** Every move of a job. Step, poststep, restep, replay and every command go by this table and nothing else. */
// oxfmt-ignore
export const jobFlow = defineFlow({
  name: 'job',
  states: ['DRAFT', 'PENDING', 'RUNNING', 'REVIEW_REQUIRED', 'REVIEWING', 'APPROVAL_REQUIRED', 'INTERVENTION_REQUIRED', 'SUSPENDED', 'SUCCESS', 'CANCELED'],
  initial: 'DRAFT',
  person: {
    is: 'steward',
    does: {
      activate:            { operation: 'job.activate' },
      approve_phase:       { operation: 'job.approve' },
      approve_job:         { operation: 'job.approve' },
      reject:              { operation: 'job.reject' },
      resubmit:            { operation: 'job.resubmit' },
      resubmit_review:     { operation: 'job.resubmit', input: { review: true } },
      restep:              { operation: 'job.restep' },
      restep_review:       { operation: 'job.restep' },
      suspend:             { operation: 'job.suspend' },
      resume_draft:        { operation: 'job.resume' },
      resume_work:         { operation: 'job.resume' },
      resume_review:       { operation: 'job.resume' },
      resume_approval:     { operation: 'job.resume' },
      resume_intervention: { operation: 'job.resume' },
      cancel:              { operation: 'job.cancel' },
    },
  },
  moves: {
    activate:             { from: ['DRAFT'],                      to: 'PENDING',               by: ['steward'] },
    work:                 { from: ['PENDING'],                    to: 'RUNNING',               by: ['worker'] },
    review:               { from: ['REVIEW_REQUIRED'],            to: 'REVIEWING',             by: ['supervisor'] },

    worker_COMPLETED:     { from: ['RUNNING'],                    to: 'REVIEW_REQUIRED',       by: ['worker'] },
    worker_STUCK:         { from: ['RUNNING'],                    to: 'INTERVENTION_REQUIRED', by: ['worker'] },
    worker_RETRY:         { from: ['RUNNING'],                    to: 'PENDING',               by: ['worker'] },
    supervisor_COMPLETED: { from: ['REVIEWING'],                  to: 'APPROVAL_REQUIRED',     by: ['supervisor'] },
    supervisor_STUCK:     { from: ['REVIEWING'],                  to: 'INTERVENTION_REQUIRED', by: ['supervisor'] },
    supervisor_RETRY:     { from: ['REVIEWING'],                  to: 'PENDING',               by: ['supervisor'] },

    put_back_work:        { from: ['RUNNING'],                    to: 'PENDING',               by: ['runtime'] },
    put_back_review:      { from: ['REVIEWING'],                  to: 'REVIEW_REQUIRED',       by: ['runtime'] },
    take_up_work:         { from: ['RUNNING'],                    to: 'RUNNING',               by: ['runtime'] },
    take_up_review:       { from: ['REVIEWING'],                  to: 'REVIEWING',             by: ['runtime'] },
    give_up:              { from: ['RUNNING', 'REVIEWING'],       to: 'INTERVENTION_REQUIRED', by: ['runtime'] },
    halt:                 { from: ['PENDING', 'REVIEW_REQUIRED'], to: 'INTERVENTION_REQUIRED', by: ['runtime'] },

    approve_phase:        { from: ['APPROVAL_REQUIRED'],          to: 'PENDING',               by: ['steward', 'runtime'] },
    approve_job:          { from: ['APPROVAL_REQUIRED'],          to: 'SUCCESS',               by: ['steward', 'runtime'] },
    reject:               { from: ['APPROVAL_REQUIRED'],          to: 'PENDING',               by: ['steward'] },
    resubmit:             { from: ['INTERVENTION_REQUIRED'],      to: 'PENDING',               by: ['steward'] },
    resubmit_review:      { from: ['INTERVENTION_REQUIRED'],      to: 'REVIEW_REQUIRED',       by: ['steward'] },
    restep:               { from: ['PENDING', 'REVIEW_REQUIRED', 'APPROVAL_REQUIRED', 'INTERVENTION_REQUIRED'], to: 'PENDING', by: ['steward'] },
    restep_review:        { from: ['PENDING', 'REVIEW_REQUIRED', 'APPROVAL_REQUIRED', 'INTERVENTION_REQUIRED'], to: 'REVIEW_REQUIRED', by: ['steward'] },

    suspend:              { from: ['DRAFT', 'PENDING', 'RUNNING', 'REVIEW_REQUIRED', 'REVIEWING', 'APPROVAL_REQUIRED', 'INTERVENTION_REQUIRED'], to: 'SUSPENDED', by: ['steward'] },
    resume_draft:         { from: ['SUSPENDED'],                  to: 'DRAFT',                 by: ['steward'] },
    resume_work:          { from: ['SUSPENDED'],                  to: 'PENDING',               by: ['steward'] },
    resume_review:        { from: ['SUSPENDED'],                  to: 'REVIEW_REQUIRED',       by: ['steward'] },
    resume_approval:      { from: ['SUSPENDED'],                  to: 'APPROVAL_REQUIRED',     by: ['steward'] },
    resume_intervention:  { from: ['SUSPENDED'],                  to: 'INTERVENTION_REQUIRED', by: ['steward'] },
    cancel:               { from: ['DRAFT', 'PENDING', 'RUNNING', 'REVIEW_REQUIRED', 'REVIEWING', 'APPROVAL_REQUIRED', 'INTERVENTION_REQUIRED', 'SUSPENDED'], to: 'CANCELED', by: ['steward'] },
  },
})

export type JobState = (typeof jobFlow.states)[number]
export type JobMoveName = keyof typeof jobFlow.moves

/** Where a suspended job goes on, by the state it was suspended in; what was at work is to be started again. */
// oxfmt-ignore
export const resumeMoves = {
  DRAFT: 'resume_draft', PENDING: 'resume_work', RUNNING: 'resume_work', REVIEW_REQUIRED: 'resume_review', REVIEWING: 'resume_review',
  APPROVAL_REQUIRED: 'resume_approval', INTERVENTION_REQUIRED: 'resume_intervention',
} as const satisfies Partial<Record<JobState, JobMoveName>>

/** How a step begins, where it is then, and how it is put back, taken up again and made again, by whose it is. */
// oxfmt-ignore
export const bySeat = {
  worker:     { begins: 'work',   at_work: 'RUNNING',   put_back: 'put_back_work',   take_up: 'take_up_work',   again: 'restep' },
  supervisor: { begins: 'review', at_work: 'REVIEWING', put_back: 'put_back_review', take_up: 'take_up_review', again: 'restep_review' },
} as const satisfies Record<JobSeat, Record<string, JobMoveName | JobState>>

/** The states in which an agent can work, or was at work when its process died. */
export const runnableStates = jobFlow.states.filter((state) => seatFor(state) !== null)

/** The move an exit command asks for. */
export function moveOf(seat: JobSeat, action: ExitAction): `${JobSeat}_${ExitAction}` {
  return `${seat}_${action}`
}

/** The seat follows the state: nothing else decides who works next. Null where a person must act, or nobody. */
export function seatFor(state: JobState): JobSeat | null {
  if (state === 'PENDING' || state === 'RUNNING') return 'worker'
  return state === 'REVIEW_REQUIRED' || state === 'REVIEWING' ? 'supervisor' : null
}

/** An agent is, or was when its process died, at work. */
export function isAgentWorking(state: JobState): state is 'RUNNING' | 'REVIEWING' {
  return state === 'RUNNING' || state === 'REVIEWING'
}

/** Nothing goes on before the Steward has decided. */
export function needsSteward(state: JobState): boolean {
  return state === 'APPROVAL_REQUIRED' || state === 'INTERVENTION_REQUIRED'
}
