import { jobTitle } from '../domain/job/job.ts'
import type { Need } from '../domain/need.ts'
import type { Driver } from '../store/driver.ts'
import { jobs } from '../store/tables.ts'

/** Every job that waits for its Steward: stopped ones first of all, then those to be approved. */
export async function jobNeeds(driver: Driver): Promise<Need[]> {
  const found = await jobs.items(driver, { where: { status: ['INTERVENTION_REQUIRED', 'APPROVAL_REQUIRED'] } })
  return found.map((job) => ({
    id: job.id,
    kind: 'job',
    title: job.status === 'APPROVAL_REQUIRED' ? `Approve ${job.id}` : `${job.id} is stopped: ${job.reason_text}`,
    detail: jobTitle(job),
    severity: job.status === 'APPROVAL_REQUIRED' ? 'minor' : 'major',
    link: `/jobs/${job.id}`,
    at: job.updated_at,
  }))
}
