import { isLeased } from '../../agent/run/lease.ts'
import { isGone } from '../../sandbox/process/holder.ts'
import { resumeRun } from '../../agent/run/resume.ts'
import { noUsage } from '../../domain/entry.ts'
import { moveJob } from '../../domain/job/decide.ts'
import { bySeat, isAgentWorking, seatFor } from '../../domain/job/flow.ts'
import type { Job } from '../../domain/job/job.ts'
import { hasExpired, leaseFrom } from '../../domain/lease.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions, jobs } from '../../store/tables.ts'
import { beginRepair, beginStep, haltJobAtLimit, notRunnable, type Begun } from './begin.ts'
import { concludeExchange, exchangeOf, finishRecorded } from './conclude.ts'
import { exchangeOutcome, outcomeOfCutOff, playExchange, runOf, type ExchangeOutcome } from './exchange.ts'
import { writeManifest } from '../view/files.ts'
import { holderFields, keepHeartbeat } from './heartbeat.ts'
import { sectionsOf } from './prompt.ts'
import { saveMoved } from './save.ts'
import { jobAgent, jobContextIn, type JobContext } from '../context.ts'
import { freeWorkspace } from '../workspace.ts'

/** One step of a job: whoever's turn it is does its work, once. A step that a dead process left is taken up where it was. */
export async function stepJob(anywhere: JobContext, jobId: string, signal: AbortSignal): Promise<Job> {
  const was = await jobs.get(anywhere.agent.driver, jobId)
  const context = await jobContextIn(anywhere, was.item)
  const { driver, now } = context.agent
  await refuseStep(driver, was.item)
  if (isAgentWorking(was.item.status)) return takeUp(context, was, signal)
  const halted = await haltJobAtLimit(driver, was, now())
  if (halted !== null) {
    await writeManifest(context, halted)
    return halted
  }
  const begun = await beginStep(context, was).catch((error: unknown) => refuseLostRace(driver, jobId, error))
  await writeManifest(context, begun.job)
  return play(context, begun, signal)
}

/** Refuses a job on which nobody can work now. */
export async function refuseStep(driver: Driver, job: Job): Promise<void> {
  if (seatFor(job.status) === null) throw notRunnable(job)
  await refuseAtWork(driver, job)
}

/** Of two steps at once one begins; the other is told who is at work. */
async function refuseLostRace(driver: Driver, jobId: string, error: unknown): Promise<never> {
  await refuseAtWork(driver, (await jobs.get(driver, jobId)).item)
  const quicker = error instanceof Problem && error.code === 'conflict' && error.details['collection'] === jobs.name
  throw quicker ? new Problem('busy', `another process was quicker with ${jobId}; check its state`, { cause: error }) : error
}

/** Whether a living process works on a job. */
export async function isWorkedOn(driver: Driver, { active }: Job): Promise<boolean> {
  if (active === null) return false
  const run = await runOf(driver, active.run_id)
  const beats = !hasExpired(leaseFrom(new Date(active.heartbeat_at)), await driver.now())
  return (!isGone(active.holder) && beats) || (run !== null && (await isLeased(driver, run)))
}

/** Refuses a job that a living process works on. */
export async function refuseAtWork(driver: Driver, job: Job): Promise<void> {
  const { active } = job
  if (active === null || !(await isWorkedOn(driver, job))) return
  const message = `the ${active.seat} of ${job.id} is at work in process ${active.pid} on ${active.host} since ${active.started_at}`
  throw new Problem('busy', message, { details: { job_id: job.id, pid: active.pid, host: active.host, attempt: active.attempt } })
}

async function play(context: JobContext, { job, run, agent }: Begun, signal: AbortSignal): Promise<Job> {
  const beat = keepHeartbeat(context.agent, job)
  try {
    const concluded = await concludeExchange(context, job, await playExchange(agent, run, job, signal), signal)
    return await repairIfNeeded(context, concluded, signal)
  } finally {
    beat.stop()
  }
}

/** Still at work after an exchange was recorded means that the exit command is asked for once more. */
async function repairIfNeeded(context: JobContext, job: Job, signal: AbortSignal): Promise<Job> {
  if (!isAgentWorking(job.status)) return job
  const { driver } = context.agent
  const was = await jobs.get(driver, job.id)
  const { run, recorded } = await leftBy(driver, was.item)
  if (!run || !recorded) return job
  const exchange = exchangeOf(recorded.item)
  return play(context, await beginRepair(context, was, run, exchange.type === 'invalid' ? exchange.error : ''), signal)
}

/** Goes on with a step whose process is gone: what is recorded is not asked for again, what is half done is carried on. */
async function takeUp(context: JobContext, was: Stored<Job>, signal: AbortSignal): Promise<Job> {
  const { run, recorded } = await leftBy(context.agent.driver, was.item)
  if (!recorded && run?.status === 'running') return resume(context, was, run, signal)
  return repairIfNeeded(context, await settleStep(context, was, signal), signal)
}

/** Whoever is asked again may be paid again, so every time a step is taken up is on record. */
async function resume(context: JobContext, { item }: Stored<Job>, run: Run, signal: AbortSignal): Promise<Job> {
  const { driver, now } = context.agent
  await refuseAtWork(driver, item)
  await freeWorkspace(item)
  const seat = item.active?.seat ?? 'worker'
  const agent = jobAgent(context, item, seat, await sectionsOf(item))
  const held = await resumeRun(agent, run.id)
  const job = await driver.transaction(async (tx) => {
    const was = await jobs.get(tx, item.id)
    const { active } = was.item
    const gone = `process ${active?.pid} on ${active?.host} is gone; its run ${run.id} is carried on`
    const moved = moveJob(was.item, bySeat[seat].take_up, 'runtime', gone)
    const mine = active && { ...active, ...holderFields(now()), attempt: active.attempt + 1 }
    return (await saveMoved(tx, was, { ...moved, job: { ...moved.job, active: mine } }, now())).item
  })
  return play(context, { job, run: held, agent }, signal)
}

/** Settles a step that a dead process left, without asking anyone: what is recorded is carried out, the rest is put back. */
export async function settleStep(context: JobContext, was: Stored<Job>, signal: AbortSignal): Promise<Job> {
  const { driver, now } = context.agent
  await refuseAtWork(driver, was.item)
  await freeWorkspace(was.item)
  const { run, recorded } = await leftBy(driver, was.item)
  if (recorded) return finishRecorded(context, was.item, recorded.item)
  if (!run) return concludeExchange(context, was.item, lostByHand(), signal)
  const outcome = run.status === 'running' ? await outcomeOfCutOff(driver, run.id, now()) : await exchangeOutcome(driver, run, now())
  return concludeExchange(context, was.item, outcome, signal)
}

/** What there is of the exchange a job is at: its run, unless a person answers, and its record, once there is one. */
async function leftBy(driver: Driver, { active }: Job) {
  if (active === null) return { run: null, recorded: null }
  return { run: await runOf(driver, active.run_id), recorded: await jobInteractions.find(driver, active.exchange_id) }
}

/** A person's answer that was not recorded before its process died; the person knows it still. */
function lostByHand(): ExchangeOutcome {
  const failure = { code: 'stopped', message: 'the answer given by hand was not recorded; give it again', transient: true }
  return { exchange: { type: 'failed', failure }, raw: '', usage: noUsage, took_ms: 0 }
}
