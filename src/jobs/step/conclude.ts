import type { Usage } from '../../domain/entry.ts'
import { addUsage } from '../../agent/limits.ts'
import { askedIn, decide, type ExchangeResult, type Moved } from '../../domain/job/decide.ts'
import { bySeat, isAgentWorking } from '../../domain/job/flow.ts'
import { DecidingSettings, type InteractionResponse, type JobInteraction } from '../../domain/job/history.ts'
import type { Job, JobActive } from '../../domain/job/job.ts'
import { maskedRecord } from '../../domain/text/mask.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import { agentAuthor, commitAll } from '../../worktrees/commit.ts'
import { commitOf } from '../../worktrees/repository.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions, jobs } from '../../store/tables.ts'
import { runChecks } from './checks.ts'
import { gatherEvidence } from './evidence.ts'
import type { ExchangeOutcome } from './exchange.ts'
import { jobFilePlaces, writeManifest } from '../view/files.ts'
import { requestWithReads } from './files-context.ts'
import { appendHistory, type HistoryState } from '../view/history-file.ts'
import { saveMoved } from './save.ts'
import type { JobContext } from '../context.ts'
import { setAsideAfter, setAsideAttempt } from './set-aside.ts'

/**
 * Ends an exchange: commits what the agent left, compares its claims with it, records the interaction in the store and in the
 * file, and only then moves the job. Whoever dies in between leaves a record from which `finishRecorded` goes on.
 */
export async function concludeExchange(context: JobContext, job: Job, outcome: ExchangeOutcome, signal: AbortSignal): Promise<Job> {
  const active = activeOf(job)
  const masked = maskedRecord(outcome, context.agent.secrets ?? []) // before anything of it is in a commit or in a note
  const recorded = await recordInteraction(context, job, active, masked, signal)
  return finishRecorded(context, job, recorded)
}

/** Carries a recorded interaction into the file and into the state of its job. Doing it twice does nothing twice. */
export async function finishRecorded(context: JobContext, job: Job, recorded: JobInteraction): Promise<Job> {
  const { driver } = context.agent
  const now = context.agent.now()
  if (job.history.interactions >= recorded.sequence) return job
  const history = await appendHistory(driver, job, recorded.interaction, now)
  await writeWhole(jobFilePlaces(job).outcome, outcomeText(recorded))
  await setAsideAttempt(job, recorded)
  const saved = await driver.transaction((tx) => moveRecorded(tx, recorded, history, now))
  await writeManifest(context, saved)
  return saved
}

/** What an exchange came to, from its record alone: the same for the process that played it, for the next one, and for a replay. */
export function exchangeOf({ failure, question, interaction: { response } }: JobInteraction): ExchangeResult {
  if (failure !== null) return { type: 'failed', failure }
  if (question !== null) return { type: 'question', question }
  const [action] = response.actions
  if (response.status !== 'SUCCESS' || action === undefined) return { type: 'invalid', error: response.summary_for_supervisor }
  const { evidence_files, summary_for_supervisor } = response
  return { type: 'command', command: { action, evidence_files, summary_for_supervisor } }
}

async function recordInteraction(
  context: JobContext,
  job: Job,
  active: JobActive,
  told: ExchangeOutcome,
  signal: AbortSignal,
): Promise<JobInteraction> {
  const { driver } = context.agent
  const { commit_after, outcome } = await commitStep(job, active, told)
  const response = responseOf(outcome)
  const evidence = await gatherEvidence(job.workspace, job.phase_commit ?? active.commit_before, commit_after, response.evidence_files)
  const checks = isClaimedDone(job, active, outcome) ? await runChecks(context, job, signal) : []
  const now = context.agent.now()
  const how = { repairing: active.repairing, simulated: active.run_id === null }
  // Of a job that was suspended or cancelled under its agent, what would have followed is recorded all the same.
  const { status: state_after } = decide({ ...job, status: bySeat[active.seat].at_work }, outcome.exchange, askedIn(how), now).job
  const record: Omit<JobInteraction, 'sequence' | 'interaction'> = {
    id: active.exchange_id,
    job_id: job.id,
    run_id: active.run_id,
    seat: active.seat,
    attempt: active.attempt,
    round: job.rounds,
    after_move: job.moves,
    ...how,
    state_after,
    settings: DecidingSettings.parse(job),
    failure: outcome.exchange.type === 'failed' ? outcome.exchange.failure : null,
    question: outcome.exchange.type === 'question' ? outcome.exchange.question : null,
    commit_before: active.commit_before,
    ignored_before: active.ignored_before,
    commit_after,
    set_aside: await setAsideAfter(driver, job, active, outcome.exchange, state_after),
    evidence,
    checks,
    usage: outcome.usage,
    took_ms: outcome.took_ms,
  }
  const request = await requestWithReads(driver, job, active)
  return driver.transaction(async (tx) => {
    const sequence = (await lastSequence(tx, job.id)) + 1
    const timestamp = now.toISOString().replace(/\.\d+Z$/, 'Z')
    const interaction = { sequence, timestamp, state_before: active.state_before, workspace_path: job.workspace, request, response }
    return (await jobInteractions.add(tx, maskedRecord({ ...record, sequence, interaction }, context.agent.secrets ?? []))).item
  })
}

/** A Worker says that it is done, and nobody has taken the job away from it: the checks look whether it is so. */
function isClaimedDone({ status }: Job, { seat }: JobActive, { exchange }: ExchangeOutcome): boolean {
  return isAgentWorking(status) && seat === 'worker' && exchange.type === 'command' && exchange.command.action === 'COMPLETED'
}

/** The sequence of the newest interaction, 0 before the first. */
async function lastSequence(tx: Driver, jobId: string): Promise<number> {
  const [row] = await tx.query<{ last: number | null }>('select max(sequence) as last from "job_interactions" where job_id = $1', [jobId])
  return row?.last ?? 0
}

/** A job that was suspended or cancelled meanwhile keeps its state; what was paid for is counted all the same. */
async function moveRecorded(tx: Driver, recorded: JobInteraction, history: HistoryState, now: Date): Promise<Job> {
  const was = await jobs.get(tx, recorded.job_id)
  const { item: job } = was
  if (job.active?.exchange_id !== recorded.id) return { ...job, history } // another process has finished it already
  const counted: Job = {
    ...job,
    history,
    head_commit: recorded.set_aside?.restored_to ?? recorded.commit_after,
    usage: addUsage(job.usage, recorded.usage),
    worked_ms: job.worked_ms + recorded.took_ms,
  }
  if (!isAgentWorking(job.status)) return (await saveMoved(tx, was, { job: { ...counted, active: null }, moves: [] }, now)).item
  const moved: Moved = decide(counted, exchangeOf(recorded), askedIn(recorded), now)
  const active = isAgentWorking(moved.job.status) ? counted.active : null
  return (await saveMoved(tx, was, { job: { ...moved.job, active }, moves: moved.moves }, now, recorded.sequence)).item
}

/**
 * Every step ends in a commit, under the name of the role that made it. An agent can leave a workspace that git refuses to
 * commit; its answer was paid for and is recorded all the same, and the Steward is told why.
 */
async function commitStep(
  job: Job,
  { seat, commit_before }: JobActive,
  told: ExchangeOutcome,
): Promise<{ commit_after: string; outcome: ExchangeOutcome }> {
  const { summary_for_supervisor } = responseOf(told)
  const message = `${job.id}: ${seat} in phase ${job.current_phase ?? 'default'}\n\n${summary_for_supervisor || 'The step ended without a summary.'}`
  const made = await commitAll(job.workspace, message, agentAuthor(job.roles[seat].role)).catch(asProblem)
  const stands = made instanceof Problem ? job.branch : 'HEAD' // a workspace that git cannot commit may have no HEAD of its own
  const commit_after = typeof made === 'string' ? made : await commitOf(job.workspace, stands).catch(() => commit_before)
  if (!(made instanceof Problem)) return { commit_after, outcome: told }
  const failure = { code: made.code, message: `what was left in the workspace cannot be committed: ${made.message}`, transient: false }
  return { commit_after, outcome: { ...told, exchange: { type: 'failed', failure } } }
}

function responseOf({ exchange, raw }: ExchangeOutcome): InteractionResponse {
  const nothing = { actions: [], evidence_files: [], raw_response: raw }
  if (exchange.type === 'command') {
    const { action, evidence_files, summary_for_supervisor } = exchange.command
    return { status: 'SUCCESS', actions: [action], evidence_files, summary_for_supervisor, raw_response: raw }
  }
  if (exchange.type === 'question')
    return { ...nothing, status: 'SUCCESS', actions: ['STUCK'], summary_for_supervisor: `The agent asks: ${exchange.question}` }
  if (exchange.type === 'invalid') return { ...nothing, status: 'INVALID', summary_for_supervisor: exchange.error }
  const { code, message } = exchange.failure
  const status = code === 'silence' || code === 'timed_out' ? 'TIMEOUT' : 'ERROR'
  return { ...nothing, status, summary_for_supervisor: message }
}

/** The hand-over from one step to the next. */
function outcomeText({ interaction, usage, took_ms, evidence, checks }: JobInteraction): string {
  const { response, timestamp, sequence } = interaction
  const outcome = {
    action: response.actions[0] ?? null,
    status: response.status,
    summary_for_supervisor: response.summary_for_supervisor,
    evidence_files: response.evidence_files,
    evidence,
    checks,
    sequence,
    timestamp,
    metrics: { ...usage, took_ms } satisfies Usage & { took_ms: number },
  }
  return `${JSON.stringify(outcome, null, 2)}\n`
}

function activeOf(job: Job): JobActive {
  if (job.active !== null) return job.active
  throw new Problem('internal', `${job.id} has no agent at work, so there is nothing to conclude`)
}
