import { useState } from 'react'
import type { JobInteraction } from '../../src/domain/job/history.ts'
import type { JobMove } from '../../src/domain/job/job.ts'
import { useRefinedRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { ExchangeCard } from './exchange-card.tsx'
import { jobStates } from './job-states.ts'

/** What happened in a job, newest first: every exchange, and between them what people and the runtime decided. */
export function JobTimeline({ id, before }: { id: string; before?: number }) {
  const [opened, setOpened] = useState(false)
  const found = useRefinedRead('job.timeline', { job: id, limit: 50, ...(before !== undefined && { before }) })
  if (found.isPending) return <Loading />
  if (found.isError) return <ErrorNote error={found.error} />
  const { exchanges, moves, earlier } = found.data
  if (exchanges.length === 0 && moves.length === 0) {
    return <EmptyState title="Nothing has happened yet">Activate the job, then run its first step.</EmptyState>
  }
  const oldest = exchanges.at(-1)?.sequence
  return (
    <div className="flex flex-col gap-3">
      <ol className="flex flex-col gap-3">
        {[...exchanges, ...moves]
          .toSorted((a, b) => place(b) - place(a))
          .map((line) => (
            <li key={line.id}>{'interaction' in line ? <ExchangeCard exchange={line} /> : <MoveLine move={line} />}</li>
          ))}
      </ol>
      {earlier && !opened && (
        <Button className="self-start" onClick={() => setOpened(true)}>
          Earlier exchanges
        </Button>
      )}
      {earlier && opened && oldest !== undefined && <JobTimeline id={id} before={oldest} />}
    </div>
  )
}

/** An exchange comes after the move that began it and before those that followed from it. */
function place(line: JobInteraction | JobMove): number {
  return 'interaction' in line ? line.after_move + 0.5 + line.sequence / 1e9 : line.number
}

function MoveLine({ move }: { move: JobMove }) {
  return (
    <p className="flex flex-wrap items-center gap-2 px-1 text-xs text-soft">
      <Moment at={move.at} />
      <span className="font-medium text-ink">{move.actor}</span>
      {move.move.replaceAll('_', ' ')}: {jobStates[move.from].label} → {jobStates[move.to].label}
      {move.note !== '' && <span>“{move.note}”</span>}
    </p>
  )
}
