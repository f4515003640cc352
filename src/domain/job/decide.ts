import type { ExitCommand } from './exit-command.ts'
import { nextState } from '../flow.ts'
import { bySeat, jobFlow, moveOf, seatFor, type JobActor, type JobMoveName, type JobSeat } from './flow.ts'
import type { JobInteraction, StepFailure } from './history.ts'
import { phaseOf, type Job, type JobNote, type JobReason } from './job.ts'

/** What an exchange with an agent came to. */
export type ExchangeResult =
  | { type: 'command'; command: ExitCommand }
  | { type: 'invalid'; error: string }
  | { type: 'question'; question: string }
  | { type: 'failed'; failure: StepFailure }

/** What a move did to a job, ready to be stored. */
export interface Moved {
  job: Job
  moves: MadeMove[]
}

export interface MadeMove {
  move: JobMoveName
  actor: JobActor
  from: Job['status']
  to: Job['status']
  phase: string | null
  note: string
}

/** More than this would crowd the work itself out of the prompt. */
const NOTES_AT_MOST = 10

/** Whether an answer is the first of its step, the second after one without a valid exit command, or a person's. */
export type Asked = 'once' | 'again' | 'by_hand'

/** How the answer of an exchange was asked for, from its record. */
export function askedIn({ simulated, repairing }: Pick<JobInteraction, 'simulated' | 'repairing'>): Asked {
  if (simulated) return 'by_hand'
  return repairing ? 'again' : 'once'
}

/** The one decision about an exchange, used by step, poststep and replay alike. An agent's first invalid answer moves nothing: it is asked again. */
export function decide(job: Job, exchange: ExchangeResult, asked: Asked, now: Date): Moved {
  const seat = seatFor(job.status) ?? 'worker' // a job that is not at work is refused by the table below
  if (exchange.type === 'failed') return afterFailure(job, seat, exchange.failure, now)
  const answered = { ...job, failures: 0, not_before: null }
  if (exchange.type === 'question') return stuck(answered, seat, 'question', `asks: ${exchange.question}`, now)
  if (exchange.type === 'command') return afterCommand(answered, seat, exchange.command, now)
  if (asked === 'once') return { job: answered, moves: [] }
  const how =
    asked === 'again' ? 'gave no valid exit command, also when asked again' : 'was answered for by hand, without a valid exit command'
  return stuck(answered, seat, 'invalid', `${how}: ${exchange.error}`, now)
}

/** Makes one move of the table; refuses what the table does not allow. */
export function moveJob(job: Job, name: JobMoveName, actor: JobActor, note = ''): Moved {
  const to = nextState(jobFlow, job.status, name, actor, { job: job.id })
  const waits = to === 'INTERVENTION_REQUIRED'
  return {
    job: { ...job, status: to, reason: waits ? job.reason : null, reason_text: waits ? job.reason_text : '' },
    moves: [{ move: name, actor, from: job.status, to, phase: job.current_phase, note }],
  }
}

/** Stops a job for its Steward, with the reason. */
export function stopFor(job: Job, name: JobMoveName, actor: JobActor, reason: JobReason, text: string): Moved {
  return moveJob({ ...job, reason, reason_text: text }, name, actor, text)
}

/** Approval of a phase: on to the next one, or to SUCCESS after the last. */
export function approvePhase(job: Job, actor: 'steward' | 'runtime', note: string): Moved {
  const { number, of } = phaseOf(job)
  if (number >= of) return moveJob({ ...job, feedback: [] }, 'approve_job', actor, note)
  const moved = moveJob(job, 'approve_phase', actor, note)
  const following = job.phases[number]?.name ?? job.current_phase
  return { ...moved, job: { ...freshCount(moved.job), feedback: [], current_phase: following, phase_commit: job.head_commit } }
}

/** A person has looked: what was counted against the agents starts again. */
export function freshCount(job: Job): Job {
  return { ...job, retries: 0, rounds: 0, failures: 0, not_before: null }
}

/** A note for the next agent, the newest last; one that says nothing is none. */
export function withNote(job: Job, from: JobNote['from'], text: string, now: Date): Job {
  if (text.trim() === '') return job
  const feedback = [...job.feedback, { from, text, at: now.toISOString() }]
  return { ...job, feedback: feedback.slice(-NOTES_AT_MOST) }
}

function afterCommand(job: Job, seat: JobSeat, { action, summary_for_supervisor: summary }: ExitCommand, now: Date): Moved {
  if (action === 'STUCK') return stuck(job, seat, 'stuck', summary, now)
  if (action === 'RETRY') return seat === 'worker' ? workerRetry(job, summary, now) : sendBack(job, summary, now)
  const moved = moveJob(job, moveOf(seat, 'COMPLETED'), seat, summary)
  if (seat === 'worker' || !job.auto_approve) return moved
  const approved = approvePhase(moved.job, 'runtime', 'approved by auto_approve')
  return { job: approved.job, moves: [...moved.moves, ...approved.moves] }
}

function stuck(job: Job, seat: JobSeat, reason: JobReason, text: string, now: Date): Moved {
  const moved = stopFor(job, moveOf(seat, 'STUCK'), seat, reason, `${nameOf(seat)} ${reason === 'stuck' ? 'is stuck: ' : ''}${text}`)
  return { ...moved, job: withNote(moved.job, seat, `${nameOf(seat)} stopped: ${text}`, now) }
}

/** A fresh start with other parameters; so many of them, then a person decides. */
function workerRetry(job: Job, summary: string, now: Date): Moved {
  const retries = job.retries + 1
  const suggests = `The last attempt failed and suggests: ${summary}`
  const startsOver = `${suggests}\nIts files were set aside; the workspace is as it was before that attempt.`
  if (retries <= job.limits.max_retries)
    return moveJob(withNote({ ...job, retries }, 'worker', startsOver, now), 'worker_RETRY', 'worker', summary)
  const noted = withNote({ ...job, retries }, 'worker', suggests, now)
  return stopFor(noted, 'give_up', 'runtime', 'retries', `the Worker asked to start over ${retries} times: ${summary}`)
}

/** The Supervisor's feedback takes the place of all older notes; so many rounds, then a person decides. */
function sendBack(job: Job, summary: string, now: Date): Moved {
  const rounds = job.rounds + 1
  const noted = withNote({ ...job, rounds, retries: 0, feedback: [] }, 'supervisor', summary, now)
  if (rounds <= job.limits.max_rounds) return moveJob(noted, 'supervisor_RETRY', 'supervisor', summary)
  return stopFor(noted, 'give_up', 'runtime', 'rounds', `the Supervisor sent the work back ${rounds} times: ${summary}`)
}

const BACKOFF_MS = 1_000
const BACKOFF_AT_MOST_MS = 300_000

/** What may pass is tried again after a while that doubles; what will not, and what does not, goes to a person. */
function afterFailure(job: Job, seat: JobSeat, { code, message, transient }: StepFailure, now: Date): Moved {
  const { put_back: back } = bySeat[seat]
  if (code === 'stopped') return moveJob(job, back, 'runtime', message)
  if (!transient) return stopFor(job, 'give_up', 'runtime', code === 'cost' ? 'cost' : 'error', message)
  const failures = job.failures + 1
  if (failures > job.limits.max_failures) {
    return stopFor({ ...job, failures }, 'give_up', 'runtime', 'failures', `${nameOf(seat)} failed ${failures} times: ${message}`)
  }
  const wait = Math.min(BACKOFF_MS * 2 ** (failures - 1), BACKOFF_AT_MOST_MS)
  const moved = moveJob({ ...job, failures }, back, 'runtime', message)
  const told = withNote(
    moved.job,
    'runtime',
    `An earlier attempt was cut off (${message}). Look at what is there before you continue.`,
    now,
  )
  return { ...moved, job: { ...told, not_before: new Date(now.getTime() + wait).toISOString() } }
}

function nameOf(seat: JobSeat): string {
  return seat === 'worker' ? 'the Worker' : 'the Supervisor'
}
