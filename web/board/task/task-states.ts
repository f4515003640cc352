import type { TaskCard } from '../views.ts'
import type { StateLook } from '../../ui/status/badge.tsx'

/** Every state of a task, from where it begins to where it ends; what is stuck comes first, because it waits for somebody. */
// oxfmt-ignore
export const taskStates: Record<TaskCard['status'], StateLook> = {
  BLOCKED:            { label: 'Blocked',            tone: 'danger',  hint: 'Cannot go on without an answer' },
  DRAFT:              { label: 'Draft',              tone: 'neutral', hint: 'Being written; nobody may claim it' },
  UNCLAIMED:          { label: 'Unclaimed',          tone: 'neutral', hint: 'Planned, and waiting for a coder' },
  CLAIMED:            { label: 'In progress',        tone: 'accent',  hint: 'A coder is at it' },
  READY_FOR_REVIEW:   { label: 'Ready for review',   tone: 'warn',    hint: 'Submitted, and waiting for a verdict' },
  REJECTED:           { label: 'Rejected',           tone: 'danger',  hint: 'Sent back with findings' },
  INTEGRATION_FAILED: { label: 'Integration failed', tone: 'danger',  hint: 'Approved, but it did not merge or its test failed' },
  APPROVED:           { label: 'Approved',           tone: 'good',    hint: 'About to be merged' },
  MERGED:             { label: 'Merged',             tone: 'good',    hint: 'On the integration branch' },
  SUPERSEDED:         { label: 'Superseded',         tone: 'neutral', hint: 'Replaced by other tasks' },
  ABANDONED:          { label: 'Abandoned',          tone: 'neutral', hint: 'Dropped for good' },
}
