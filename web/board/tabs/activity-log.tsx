import { useState } from 'react'
import { shortIds } from '../../../src/domain/text/format.ts'
import { useRead } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { Moment } from '../../ui/text/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import { TaskRef } from '../task/task-ref.tsx'

const PAGE = 100
const MOST = 2_000

/** The activity log, newest first: of the whole board, or of one task. */
export function ActivityLog({ boardId, task }: { boardId: string; task?: string }) {
  const [limit, setLimit] = useState(PAGE)
  const log = useRead('board.list_activity', { board: boardId, limit, ...(task !== undefined && { task }) })
  if (log.isPending) return <Loading />
  if (log.isError) return <ErrorNote error={log.error} />
  const lines = log.data.lines.toReversed()
  if (lines.length === 0)
    return <EmptyState title="Nothing happened yet">Every move of an agent or a person becomes a line here.</EmptyState>
  return (
    <div className="flex flex-col gap-2">
      <ol className="divide-y divide-line rounded-xl border border-line bg-surface text-sm">
        {lines.map((line) => (
          <li
            key={line.seq}
            className="flex flex-wrap items-baseline gap-x-3 px-4 py-1.5 [contain-intrinsic-size:auto_2rem] [content-visibility:auto]"
          >
            <Moment at={line.timestamp} className="w-14 shrink-0 text-xs text-soft" />
            <span className="shrink-0 font-mono text-xs sm:w-32">{line.agent}</span>
            <span className="shrink-0 font-medium sm:w-36">{line.action.replaceAll('_', ' ')}</span>
            {task === undefined && line.task !== undefined && <TaskRef boardId={boardId} task={line.task} />}
            <span className="min-w-0 flex-1 basis-60 text-soft">{shortIds(line.detail)}</span>
          </li>
        ))}
      </ol>
      {lines.length === limit && limit < MOST && (
        <Button className="self-start" small onClick={() => setLimit(Math.min(MOST, limit + PAGE * 2))}>
          Earlier
        </Button>
      )}
    </div>
  )
}
