import { useState, type ReactNode } from 'react'
import type { BoardView, SprintView } from '../views.ts'
import { counted, durationText, dollars } from '../../../src/domain/text/format.ts'
import { useRead } from '../../api.ts'
import { RoleBadge } from '../../roles/role-badge.tsx'
import { Money } from '../../ui/text/figures.tsx'
import { Markdown } from '../../ui/text/markdown.tsx'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import { Chart } from '../../ui/chart/chart.tsx'
import { Retrospective } from './retrospective.tsx'

/** How the sprint goes: burn-up, cycle time, approval rate and cost, all counted from the record. */
export function SprintTab({ board }: { board: BoardView }) {
  const boardId = board.id
  const sprint = useRead('board.view_sprint', { board: boardId })
  if (sprint.isPending) return <Loading />
  if (sprint.isError) return <ErrorNote error={sprint.error} />
  if (sprint.data.tasks_total === 0) {
    return <EmptyState title="No figures yet">They are counted from the history of tasks, and there is none so far.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-4">
      <Figures sprint={sprint.data} />
      {sprint.data.rubber_stamp_warning && (
        <p role="status" className="rounded-xl border border-warn/40 bg-warn-wash px-4 py-2.5 text-warn">
          More than 95 of 100 verdicts are approvals. A review that never finds anything may not be one.
        </p>
      )}
      <Charts sprint={sprint.data} />
      <CostByRole sprint={sprint.data} />
      <Retrospective board={board} />
      <SprintReport boardId={boardId} open={board.signal?.name === 'CHECKPOINT'} />
    </div>
  )
}

function Figures({ sprint }: { sprint: SprintView }) {
  const { cycle_time_median_ms: median, review_verdict_approval_rate_percent: rate } = sprint
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-4">
      <Figure name="Planned, done" value={`${sprint.tasks_planned_done} of ${sprint.tasks_planned}`} />
      <Figure name="Stretch, done" value={`${sprint.tasks_stretch_done} of ${sprint.tasks_stretch}`} />
      <Figure name="All tasks, done" value={`${sprint.tasks_done} of ${sprint.tasks_total}`} />
      <Figure name="In progress" value={sprint.tasks_in_progress} />
      <Figure name="Blocked" value={sprint.tasks_blocked} />
      <Figure name="Cycle time, median" value={median === null ? '–' : durationText(median)} />
      <Figure name="Approval rate" value={rate === null ? '–' : `${rate}% of ${sprint.review_verdict_count}`} />
      <Figure name="Cost" value={<Money spent={sprint} />} />
    </dl>
  )
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="mt-0.5 text-xl font-semibold tabular-nums">{value}</dd>
    </div>
  )
}

function Charts({ sprint }: { sprint: SprintView }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Chart
        title="Burn-up"
        format={(value) => Math.round(value).toLocaleString()}
        series={[
          { name: 'scope', points: sprint.scope, look: 'accent', steps: true },
          { name: 'merged', points: sprint.merged, look: 'good', steps: true },
        ]}
      />
      <Chart
        title="Cycle time of each merged task"
        format={durationText}
        series={[{ name: 'cycle time', points: sprint.cycle_times, look: 'accent', dots: true }]}
      />
      <Chart
        title="Approval rate of all verdicts so far"
        format={(value) => `${value}%`}
        top={100}
        series={[{ name: 'approval rate', points: sprint.approval_rate, look: 'good', steps: true }]}
      />
      <Chart title="Cost" format={dollars} series={[{ name: 'cost', points: sprint.cost, look: 'warn', steps: true }]} />
    </div>
  )
}

function CostByRole({ sprint }: { sprint: SprintView }) {
  if (sprint.cost_by_role.length === 0) return null
  return (
    <table className="w-full max-w-lg text-sm">
      <caption className="pb-1 text-left text-sm font-semibold">Cost by role</caption>
      <tbody>
        {sprint.cost_by_role.map(({ role, runs, ...spent }) => (
          <tr key={role} className="border-t border-line">
            <th scope="row" className="py-2 text-left font-normal">
              <RoleBadge id={role} />
            </th>
            <td className="px-3 text-right text-soft tabular-nums">{counted(runs, 'run')}</td>
            <td className="text-right tabular-nums">
              <Money spent={spent} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The sprint as it is read at a checkpoint: opened there, folded away otherwise. */
function SprintReport({ boardId, open }: { boardId: string; open: boolean }) {
  const [shown, setShown] = useState(open)
  return (
    <details open={open} onToggle={(event) => setShown(event.currentTarget.open)} className="rounded-xl border border-line bg-surface">
      <summary className="cursor-pointer px-4 py-2.5 text-sm font-semibold">Report of the sprint</summary>
      {shown && <ReportText boardId={boardId} />}
    </details>
  )
}

function ReportText({ boardId }: { boardId: string }) {
  const report = useRead('board.view_report', { board: boardId })
  if (report.isPending) return <Loading />
  if (report.isError) return <ErrorNote error={report.error} />
  return (
    <div className="border-t border-line p-4">
      <Markdown text={report.data.text} />
    </div>
  )
}
