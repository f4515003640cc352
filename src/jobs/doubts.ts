import type { JobInteraction } from '../domain/job-history.ts'
import type { Job } from '../domain/job.ts'
import type { Driver } from '../store/driver.ts'
import { jobInteractions } from '../store/tables.ts'

/** More answers than this do not lie between a Worker's and the approval it leads to. */
const LOOKED_AT = 20

/** What speaks against approving the work that waits for it: checks that failed, and files that were claimed and are not there. */
export async function doubtsAbout(driver: Driver, { id, status }: Job): Promise<string[]> {
  if (status !== 'APPROVAL_REQUIRED') return []
  const last = await jobInteractions.items(driver, { where: { job_id: id }, order: ['-sequence'], limit: LOOKED_AT })
  const work = last.find(({ seat, interaction }) => seat === 'worker' && interaction.response.actions[0] === 'COMPLETED')
  return work === undefined ? [] : doubtsIn(work)
}

function doubtsIn({ checks, evidence }: JobInteraction): string[] {
  const failed = checks.filter(({ passed }) => !passed).map(({ name }) => `the check ${name} failed`)
  const missing = evidence.claimed.filter(({ found }) => found === 'missing').map(({ path }) => `${path} was claimed and is not there`)
  return [...failed, ...missing]
}
