import { useState } from 'react'
import type { BoardColumn, BoardView } from '../views.ts'
import { useRefinedRead } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { EmptyState, ErrorNote } from '../../ui/status/notice.tsx'
import { StoreClock } from '../clock.tsx'
import { statesWhere, taskStates } from '../../../src/domain/board/task-flow.ts'
import { TaskCardView } from './task-card.tsx'

const MORE = 100

/** What is stuck comes first, because it waits for somebody. */
const shownStates = [...statesWhere(({ phase }) => phase === 'blocked'), ...statesWhere(({ phase }) => phase !== 'blocked')]

/** The tasks by state. Side by side on a desk, one under the other on a phone, where an empty one would only be in the way. */
export function BoardColumns({ board }: { board: BoardView }) {
  const shown = shownStates.flatMap(
    (status) => board.columns.find((column) => column.status === status && (column.count > 0 || taskStates[status].usual)) ?? [],
  )
  if (board.columns.every(({ count }) => count === 0)) return <NoTasks board={board} />
  return (
    <div
      role="region"
      aria-label="Tasks by state"
      tabIndex={0}
      className="flex gap-3 pb-2 max-sm:flex-col sm:auto-cols-[minmax(13.5rem,1fr)] sm:grid-flow-col sm:overflow-x-auto sm:grid"
    >
      <StoreClock readAt={board.now}>
        {shown.map((column) => (
          <Column key={column.status} board={board} column={column} />
        ))}
      </StoreClock>
    </div>
  )
}

function NoTasks({ board }: { board: BoardView }) {
  if (board.goal.spec_ref === null) {
    return (
      <EmptyState title="No task yet, and no spec to plan from">
        This goal names no file that says what is wanted. Add its tasks yourself, each with its spec; or abort it, write that file, and
        begin again with it.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No task yet">
      A planner cuts the goal into tasks as soon as a team is at work. Or add the first task yourself.
    </EmptyState>
  )
}

function Column({ board, column }: { board: BoardView; column: BoardColumn }) {
  const [limit, setLimit] = useState(0)
  const { label, hint } = taskStates[column.status]
  return (
    <section
      aria-label={`${label}, ${column.count}`}
      className={`flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-raised p-2 sm:max-h-[80dvh] ${column.count === 0 ? 'max-sm:hidden' : ''}`}
    >
      <h2 className="flex items-baseline justify-between px-1 pt-0.5 text-sm font-semibold" title={hint}>
        {label}
        <span className="text-xs font-medium text-soft tabular-nums">{column.count.toLocaleString()}</span>
      </h2>
      {limit === 0 ? (
        <Cards board={board} column={column} onMore={() => setLimit(column.cards.length + MORE)} />
      ) : (
        <MoreCards board={board} column={column} limit={limit} onMore={() => setLimit(limit + MORE)} />
      )}
    </section>
  )
}

/** A column somebody asked more of is fetched by itself. Until it has come, what is there stays. */
function MoreCards({ limit, ...rest }: CardsProps & { limit: number }) {
  const { board, column } = rest
  const more = useRefinedRead('board.list_tasks', { board: board.id, status: column.status, limit })
  return (
    <>
      <Cards {...rest} column={more.data === undefined ? column : { ...column, count: more.data.count, cards: more.data.tasks }} />
      {more.isError && <ErrorNote error={more.error} />}
    </>
  )
}

interface CardsProps {
  board: BoardView
  column: BoardColumn
  onMore: () => void
}

function Cards({ board, column, onMore }: CardsProps) {
  const left = column.count - column.cards.length
  return (
    // A column scrolls by itself, so that a long one does not push the others out of sight.
    <div className="-mx-1 flex min-h-0 flex-col gap-2 overflow-y-auto px-1 pb-1">
      <ul className="flex flex-col gap-2">
        {column.cards.map((card) => (
          <TaskCardView key={card.id} boardId={board.id} card={card} leaseDuration={board.config.lease_duration} />
        ))}
      </ul>
      {column.count === 0 && <p className="px-1 pb-1 text-xs text-soft">Nothing here.</p>}
      {left > 0 && (
        <Button small look="ghost" onClick={onMore}>
          Show more ({left.toLocaleString()} left)
        </Button>
      )}
    </div>
  )
}
