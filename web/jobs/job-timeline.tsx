import { useState } from 'react'
import type { JobView } from '../../src/api/contract/job.ts'
import type { JobInteraction } from '../../src/domain/job-history.ts'
import type { JobMove } from '../../src/domain/job.ts'
import { useRoute } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/notice.tsx'
import { ExchangeCard } from './exchange-card.tsx'

const PAGE = 50

/** What happened in a job, newest first: every exchange, and between them what people and the runtime decided. */
export function JobTimeline({ view }: { view: JobView }) {
  const [limit, setLimit] = useState(PAGE)
  const found = useRoute('listExchanges', { params: { id: view.job.id }, query: { limit } })
  if (found.isPending) return <Loading />
  if (found.isError) return <ErrorNote error={found.error} />
  const { exchanges, earlier } = found.data
  if (exchanges.length === 0 && view.moves.length === 0) {
    return <EmptyState title="Nothing has happened yet">Activate the job, then have its Worker take the first step.</EmptyState>
  }
  return (
    <ol className="flex flex-col gap-3">
      {timeline(exchanges, view.moves).map((line) => (
        <li key={'sequence' in line && 'interaction' in line ? `x${line.sequence}` : line.id}>
          {'interaction' in line ? <ExchangeCard exchange={line} /> : <MoveLine move={line} />}
        </li>
      ))}
      {earlier && (
        <li>
          <Button onClick={() => setLimit((now) => now + PAGE)}>Earlier exchanges</Button>
        </li>
      )}
    </ol>
  )
}

/** Moves that came from an exchange are told by its card; the beginning of a step by the exchange that follows. */
function timeline(exchanges: readonly JobInteraction[], moves: readonly JobMove[]): (JobInteraction | JobMove)[] {
  const oldest = exchanges.at(-1)?.after_move ?? 0
  const between = moves.filter(
    ({ sequence, move, number }) => sequence === null && move !== 'work' && move !== 'review' && number >= oldest - 2,
  )
  return [...exchanges, ...between].toSorted((a, b) => place(b) - place(a))
}

/** An exchange stands after the move that began it and before those that followed from it. */
function place(line: JobInteraction | JobMove): number {
  return 'interaction' in line ? line.after_move + 0.5 + line.sequence / 1e9 : line.number
}

function MoveLine({ move }: { move: JobMove }) {
  return (
    <p className="flex flex-wrap items-center gap-2 px-1 text-xs text-soft">
      <Moment at={move.at} />
      <span className="font-medium text-ink">{move.actor}</span>
      {move.move}: {move.from} → {move.to}
      {move.note !== '' && <span className="break-words">“{move.note}”</span>}
    </p>
  )
}
