import type { Need } from '../domain/need.ts'
import type { Driver } from '../store/driver.ts'
import { jobs } from '../store/tables.ts'

/** Every job that waits for its Steward: stopped ones first of all, then those to be approved. */
export async function jobNeeds(driver: Driver): Promise<Need[]> {
  const found = await jobs.list(driver, { where: { status: ['INTERVENTION_REQUIRED', 'APPROVAL_REQUIRED'] } })
  return found.map(({ item: { id, status, reason_text, description, objective, updated_at } }) => ({
    id,
    kind: 'job',
    title: status === 'APPROVAL_REQUIRED' ? `Approve ${id}` : `${id} is stopped: ${reason_text}`,
    detail: description || objective || id,
    severity: status === 'APPROVAL_REQUIRED' ? 'minor' : 'major',
    link: `/jobs/${id}`,
    at: updated_at,
  }))
}
