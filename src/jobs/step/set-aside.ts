import type { ExchangeResult } from '../../domain/job/decide.ts'
import { isAgentWorking } from '../../domain/job/flow.ts'
import type { JobInteraction, SetAside } from '../../domain/job/history.ts'
import type { Job, JobActive } from '../../domain/job/job.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions } from '../../store/tables.ts'
import { keepUnderRef, ownRef } from '../../worktrees/branch.ts'
import { gitText } from '../../worktrees/repository.ts'
import { sourceOf } from '../workspace.ts'

/** How many steps are looked back for the beginning of an attempt that was cut off again and again. */
const LOOK_BACK = 20

/** What becomes of the files of a Worker that starts over; null for every other end of a step. */
export async function setAsideAfter(
  driver: Driver,
  job: Job,
  active: JobActive,
  exchange: ExchangeResult,
  state_after: Job['status'],
): Promise<SetAside | null> {
  const retries = exchange.type === 'command' && exchange.command.action === 'RETRY' && active.seat === 'worker'
  if (!retries || state_after !== 'PENDING' || !isAgentWorking(job.status)) return null
  return { ref: ownRef(nameFor(job, active.exchange_id)), restored_to: await startOfAttempt(driver, job, active.commit_before) }
}

/** Keeps what a failed attempt left under its ref and brings the workspace back to the commit before it. Doing it twice does nothing twice. */
export async function setAsideAttempt(job: Job, { id, commit_after, set_aside }: JobInteraction): Promise<void> {
  if (set_aside === null) return
  await keepUnderRef(await sourceOf(job), nameFor(job, id), commit_after)
  await gitText(job.workspace, ['reset', '--quiet', '--hard', set_aside.restored_to])
}

/** An exchange has an id of its own, so no other attempt can have the name. */
function nameFor(job: Job, exchangeId: string): string {
  return `jobs/${job.id}/${exchangeId}`
}

/** Steps that were cut off before this one belong to the same attempt: the Worker went on with what they had left. */
async function startOfAttempt(driver: Driver, job: Job, commit_before: string): Promise<string> {
  const last = await jobInteractions.items(driver, { where: { job_id: job.id }, order: ['-sequence'], limit: LOOK_BACK })
  let start = commit_before
  for (const step of last) {
    const ended = step.failure === null && step.set_aside === null && step.interaction.response.status !== 'INVALID'
    if (step.seat !== 'worker' || ended) break
    if (step.failure !== null && step.commit_after === start) start = step.commit_before
  }
  return start
}
