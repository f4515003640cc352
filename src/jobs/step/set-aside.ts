import type { ExchangeResult } from '../../domain/job/decide.ts'
import { isAgentWorking } from '../../domain/job/flow.ts'
import type { JobInteraction, SetAside } from '../../domain/job/history.ts'
import type { Job, JobActive } from '../../domain/job/job.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions } from '../../store/tables.ts'
import { keepUnderRef, ownRef } from '../../worktrees/branch.ts'
import { removeIgnored } from '../../worktrees/ignored.ts'
import { keepEverything } from '../../worktrees/keep.ts'
import { findCommit, gitText } from '../../worktrees/repository.ts'
import { statusOf } from '../../worktrees/status.ts'
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
  return { ref: ownRef(nameFor(job, active.exchange_id)), ...(await startOfAttempt(driver, job, active)) }
}

/** Keeps what a failed attempt left under its ref and brings the workspace back to what it was before it. Doing it twice does nothing twice. */
export async function setAsideAttempt(job: Job, { id, set_aside }: JobInteraction): Promise<void> {
  if (set_aside === null) return
  const source = await sourceOf(job)
  if ((await findCommit(source.root, set_aside.ref)) === null) {
    const left = await keepEverything(job.workspace, await statusOf(job.workspace), 'Set aside with what git ignores', null)
    await keepUnderRef(source, nameFor(job, id), left)
  }
  await gitText(job.workspace, ['reset', '--quiet', '--hard', set_aside.restored_to])
  await removeIgnored(job.workspace, set_aside.ignored)
}

/** An exchange has an id of its own, so no other attempt can have the name. */
function nameFor(job: Job, exchangeId: string): string {
  return `jobs/${job.id}/${exchangeId}`
}

/** Steps that were cut off before this one belong to the same attempt: the Worker went on with what they had left. */
async function startOfAttempt(driver: Driver, job: Job, active: JobActive): Promise<Omit<SetAside, 'ref'>> {
  const last = await jobInteractions.items(driver, { where: { job_id: job.id }, order: ['-sequence'], limit: LOOK_BACK })
  let start = { restored_to: active.commit_before, ignored: active.ignored_before }
  for (const step of last) {
    const ended = step.failure === null && step.set_aside === null && step.interaction.response.status !== 'INVALID'
    if (step.seat !== 'worker' || ended) break
    if (step.failure !== null && step.commit_after === start.restored_to)
      start = { restored_to: step.commit_before, ignored: step.ignored_before }
  }
  return start
}
