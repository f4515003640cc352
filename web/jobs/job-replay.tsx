import { useRead } from '../api.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/notice.tsx'

/** The record played through today's rules: what was recorded on the left, what would happen now on the right. */
export function JobReplay({ id }: { id: string }) {
  const replay = useRead('job.replay', { job: id })
  if (replay.isPending) return <Loading label="Replaying" />
  if (replay.isError) return <ErrorNote error={replay.error} />
  const { interactions, differences } = replay.data
  if (differences.length === 0) {
    return (
      <EmptyState title={`${interactions} exchanges replayed without a difference`}>
        Every recorded answer leads through today’s rules to the state it led to then. No model was asked.
      </EmptyState>
    )
  }
  return (
    <ul className="flex flex-col gap-3">
      {differences.map(({ sequence, what, recorded, now }) => (
        <li key={`${sequence} ${what}`} className="rounded-lg border border-line bg-surface p-3">
          <p className="mb-2 flex items-center gap-2">
            Exchange {sequence} <Badge tone="warn">{what}</Badge>
          </p>
          <div className="grid gap-2 font-mono text-xs sm:grid-cols-2">
            <p className="rounded bg-danger-wash p-2">
              <span className="block font-sans text-soft">Recorded</span>
              {recorded}
            </p>
            <p className="rounded bg-good-wash p-2">
              <span className="block font-sans text-soft">Now</span>
              {now}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
