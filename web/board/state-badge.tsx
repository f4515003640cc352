import type { TaskCard } from '../../src/api/contract/board.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

type State = TaskCard['status']

/** Every state of a task, from where it begins to where it ends; what is stuck comes first, because it waits for somebody. */
// oxfmt-ignore
export const states: Record<State, { label: string; tone: Tone; hint: string }> = {
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

/** The state of a task in its colour. */
export function StateBadge({ status }: { status: State }) {
  const { label, tone, hint } = states[status]
  return (
    <Badge tone={tone} title={hint}>
      {label}
    </Badge>
  )
}
