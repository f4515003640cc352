import type { JobState } from '../../src/domain/job/flow.ts'
import type { StateLook } from '../ui/status/badge.tsx'

/** Every state of a job, from where it begins to where it ends, in the colour of what it asks of a person. */
// oxfmt-ignore
export const jobStates: Record<JobState, StateLook> = {
  DRAFT:                 { label: 'Draft',                 tone: 'neutral', hint: 'Not started' },
  PENDING:               { label: 'Pending',               tone: 'neutral', hint: 'The Worker is next' },
  RUNNING:               { label: 'Running',               tone: 'accent',  hint: 'The Worker is working' },
  REVIEW_REQUIRED:       { label: 'Review required',       tone: 'neutral', hint: 'The Supervisor is next' },
  REVIEWING:             { label: 'Reviewing',             tone: 'accent',  hint: 'The Supervisor is reviewing' },
  APPROVAL_REQUIRED:     { label: 'Approval required',     tone: 'warn',    hint: 'The Supervisor approves; you decide' },
  INTERVENTION_REQUIRED: { label: 'Intervention required', tone: 'danger',  hint: 'Stopped until you decide how to continue' },
  SUSPENDED:             { label: 'Suspended',             tone: 'neutral', hint: 'Paused; resumes where it stopped' },
  SUCCESS:               { label: 'Success',               tone: 'good',    hint: 'Every phase is approved' },
  CANCELED:              { label: 'Canceled',              tone: 'neutral', hint: 'Cancelled for good' },
}
