import { User } from 'lucide-react'
import type { TaskCard } from '../views.ts'
import { finalStates } from '../../../src/domain/board/task-flow.ts'
import { LeaseAge } from '../clock.tsx'

type Held = Pick<TaskCard, 'status' | 'assigned_to' | 'lease_expires' | 'reviewing_by' | 'review_lease_expires'>

/** Who has a task in hand and how old the lease is; nothing where nobody has. */
export function Holder({ task, leaseDuration }: { task: Held; leaseDuration: number }) {
  const { status, assigned_to, lease_expires, reviewing_by, review_lease_expires } = task
  const lease = reviewing_by === null ? lease_expires : review_lease_expires
  if (reviewing_by === null && assigned_to === null) return null
  return (
    <>
      <span className="inline-flex items-center gap-1 text-ink">
        <User size={12} aria-hidden />
        {reviewing_by === null ? assigned_to : `${reviewing_by} reviews`}
      </span>
      {lease !== null && !finalStates.some((final) => final === status) && <LeaseAge expires={lease} duration={leaseDuration} />}
    </>
  )
}
