import type { TaskView } from './task-view.ts'
import { Badge } from '../../ui/status/badge.tsx'

type Rejection = Extract<TaskView['verdicts'][number]['verdict'], { verdict: 'REJECTED' }>
export type Blocker = Rejection['blockers'][number]

/** One reason of a rejection: what is wrong, against what, and what to change. */
export function BlockerNote({ blocker, whole = false }: { blocker: Blocker; whole?: boolean }) {
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-danger/40 bg-danger-wash px-3 py-2 font-sans text-sm text-ink">
      <p className="flex flex-wrap items-center gap-2 text-xs text-danger">
        <strong>Finding {blocker.id}</strong>
        <Badge tone="danger">{blocker.criterion.replaceAll('_', ' ')}</Badge>
        {whole && (
          <span className="font-mono">
            {blocker.file}:{blocker.location}
          </span>
        )}
        {blocker.spec_ref !== null && <span className="font-mono">{blocker.spec_ref}</span>}
        {blocker.anomaly_logged && <span>anomaly logged</span>}
      </p>
      <p>{blocker.defect}</p>
      <p>
        <span className="font-medium">Fix:</span> {blocker.fix}
      </p>
    </div>
  )
}

/** The line a finding names first: `12`, `L12`, `lines 12-20`; null where it names none, such as a function. */
export function lineOf({ location }: Pick<Blocker, 'location'>): number | null {
  const found = /^\s*(?:lines?|l)?\s*(\d+)/i.exec(location)?.[1]
  return found === undefined ? null : Number(found)
}
