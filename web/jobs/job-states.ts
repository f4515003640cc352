import type { JobState } from '../../src/domain/job/flow.ts'
import type { StateLook } from '../ui/badge.tsx'

/** Every state of a job, from where it begins to where it ends, in the colour of what it asks of a person. */
// oxfmt-ignore
export const jobStates: Record<JobState, StateLook> = {
  DRAFT:                 { label: 'Draft',                 tone: 'neutral', hint: 'Being written; nobody works on it' },
  PENDING:               { label: 'Pending',               tone: 'neutral', hint: 'The Worker is next' },
  RUNNING:               { label: 'Running',               tone: 'accent',  hint: 'The Worker is at it' },
  REVIEW_REQUIRED:       { label: 'Review required',       tone: 'neutral', hint: 'The Supervisor is next' },
  REVIEWING:             { label: 'Reviewing',             tone: 'accent',  hint: 'The Supervisor is at it' },
  APPROVAL_REQUIRED:     { label: 'Approval required',     tone: 'warn',    hint: 'The Supervisor agrees; the Steward decides' },
  INTERVENTION_REQUIRED: { label: 'Intervention required', tone: 'danger',  hint: 'Stopped, until the Steward says how it goes on' },
  SUSPENDED:             { label: 'Suspended',             tone: 'neutral', hint: 'Paused; it goes on where it was' },
  SUCCESS:               { label: 'Success',               tone: 'good',    hint: 'Every phase is approved' },
  CANCELED:              { label: 'Canceled',              tone: 'neutral', hint: 'Ended for good' },
}
