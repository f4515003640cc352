import { dollars, durationText } from '../../src/domain/text/format.ts'
import type { OperationOutput } from '../../src/api/operations.ts'
import { useRead } from '../api.ts'
import { Money } from '../ui/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { BarPlot, LinePlot } from './plots.tsx'

/** What all jobs together used, and how well; shown where no job is open. */
export function AllMetrics() {
  return (
    <Page title="Jobs" about="Worker and Supervisor in turns, until the work is approved. Every exchange is on record and can be replayed.">
      <JobMetrics />
    </Page>
  )
}

/** Success by role and model, cost and retries: of one job, or of all. */
export function JobMetrics({ id }: { id?: string }) {
  const found = useRead('job.metrics', { job: id })
  if (found.isPending) return <Loading />
  if (found.isError) return <ErrorNote error={found.error} />
  if (found.data.groups.length === 0) {
    return (
      <EmptyState title="No agent has worked yet">
        {id === undefined ? 'Create a job, or run one from the queue; ' : 'Run the job; '}its answers, times and costs are shown here.
      </EmptyState>
    )
  }
  return <Measured metrics={found.data} />
}

function Measured({ metrics: { groups, steps, projection } }: { metrics: OperationOutput<'job.metrics'> }) {
  const named = groups.map((group) => ({ ...group, name: `${group.role} · ${group.model}` }))
  return (
    <div className="flex flex-col gap-6">
      <div className="grid gap-6 md:grid-cols-2">
        <BarPlot title="Answers by role and model" bars={named.map(answersOf)} say={String} />
        <BarPlot title="Cost by role and model" bars={named.map(costOf)} say={dollars} />
        <LinePlot title="Cost of each step" say={dollars} points={steps.map(({ cost_microusd }) => cost_microusd ?? 0)} />
        <LinePlot title="Time of each step" say={durationText} points={steps.map(({ took_ms }) => took_ms)} />
      </div>
      <GroupTable groups={groups} />
      {projection !== null && projection.phases_left > 0 && (
        <p className="text-soft">
          At this rate{' '}
          {projection.phases_left === 1 ? 'the phase that is left takes' : `the ${projection.phases_left} phases that are left take`}{' '}
          {durationText(projection.took_ms)} and cost{projection.phases_left === 1 && 's'} <Money spent={projection} />.
        </p>
      )}
    </div>
  )
}

type Group = OperationOutput<'job.metrics'>['groups'][number]

function answersOf({ name, COMPLETED, RETRY, STUCK, invalid, failed }: Group & { name: string }) {
  return {
    name,
    parts: [
      { label: 'COMPLETED', value: COMPLETED, color: 'var(--good)' },
      { label: 'RETRY', value: RETRY, color: 'var(--warn)' },
      { label: 'STUCK', value: STUCK, color: 'var(--danger)' },
      { label: 'invalid or failed', value: invalid + failed, color: 'var(--soft)' },
    ],
  }
}

function costOf({ name, cost_microusd }: Group & { name: string }) {
  return { name, parts: [{ label: '', value: cost_microusd ?? 0, color: 'var(--accent)' }] }
}

function GroupTable({ groups }: { groups: readonly Group[] }) {
  return (
    <div className="overflow-x-auto" role="region" aria-label="All figures by role and model" tabIndex={0}>
      <table className="w-full text-left text-sm">
        <thead className="text-xs text-soft">
          <tr>
            {['Role', 'Model', 'Answers', 'Completed', 'Retry', 'Stuck', 'Invalid', 'Failed', 'Cost', 'Time'].map((head) => (
              <th key={head} className="border-b border-line py-1 pr-3 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {groups.map((group) => (
            <tr key={`${group.role} ${group.model}`} className="border-b border-line">
              <td className="py-1 pr-3">{group.role}</td>
              <td className="py-1 pr-3">{group.model}</td>
              <td className="py-1 pr-3">{group.interactions}</td>
              <td className="py-1 pr-3">{Math.round(group.success_rate * 100)} %</td>
              <td className="py-1 pr-3">{group.RETRY}</td>
              <td className="py-1 pr-3">{group.STUCK}</td>
              <td className="py-1 pr-3">{group.invalid}</td>
              <td className="py-1 pr-3">{group.failed}</td>
              <td className="py-1 pr-3">
                <Money spent={group} />
              </td>
              <td className="py-1 pr-3">{durationText(group.took_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
