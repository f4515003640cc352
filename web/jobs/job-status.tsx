import type { JobSummary } from '../../src/api/contract/job.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

const tones: Record<JobSummary['status'], Tone> = {
  DRAFT: 'neutral',
  PENDING: 'neutral',
  RUNNING: 'accent',
  REVIEW_REQUIRED: 'neutral',
  REVIEWING: 'accent',
  APPROVAL_REQUIRED: 'warn',
  INTERVENTION_REQUIRED: 'danger',
  SUSPENDED: 'neutral',
  SUCCESS: 'good',
  CANCELED: 'neutral',
}

/** The state of a job in its own words, with the colour of what it asks of a person. */
export function JobStatus({ status, reason = null }: { status: JobSummary['status']; reason?: string | null }) {
  return (
    <Badge tone={tones[status]}>
      {status}
      {reason !== null && ` · ${reason}`}
    </Badge>
  )
}
