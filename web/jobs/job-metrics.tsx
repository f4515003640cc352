import { dollars, durationText } from '../../src/domain/text/format.ts'
import type { OperationOutput } from '../../src/api/operations.ts'
import { useRead } from '../api.ts'
import { Chart } from '../ui/chart/chart.tsx'
import { Money } from '../ui/text/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'

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
  return (
    <div className="flex flex-col gap-6">
      <div className="grid gap-6 md:grid-cols-2">
        <Chart title="Cost of each step" format={dollars} series={[courseOf(steps.map(({ cost_microusd }) => cost_microusd ?? 0))]} />
        <Chart title="Time of each step" format={durationText} series={[courseOf(steps.map(({ took_ms }) => took_ms))]} />
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

function courseOf(values: readonly number[]) {
  return { name: 'step', points: values.map((value, at) => ({ at: at + 1, value })), look: 'accent' as const }
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
