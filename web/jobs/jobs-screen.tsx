import { useParams } from 'wouter'
import { Split } from '../ui/layout/split.tsx'
import { JobList } from './job-list.tsx'
import { JobPane } from './job-pane.tsx'
import { AllMetrics } from './job-metrics.tsx'
import { NewJob } from './new-job.tsx'

/** The jobs on the left with their queue, one of them on the right; on a phone, one or the other. */
export default function JobsScreen() {
  const { id } = useParams<{ id?: string }>()
  return (
    <Split title="Jobs" begin={{ href: '/jobs/new', label: 'New job' }} list={<JobList openId={id} />} opened={id !== undefined}>
      <Opened id={id} />
    </Split>
  )
}

function Opened({ id }: { id: string | undefined }) {
  if (id === undefined) return <AllMetrics />
  return id === 'new' ? <NewJob /> : <JobPane key={id} id={id} />
}
