import { useParams } from 'wouter'
import { JobList } from './job-list.tsx'
import { JobPane } from './job-pane.tsx'
import { AllMetrics } from './job-metrics.tsx'
import { NewJob } from './new-job.tsx'

/** The jobs on the left with their queue, one of them on the right; on a phone, one or the other. */
export default function JobsScreen() {
  const { id } = useParams<{ id?: string }>()
  return (
    <div className="flex h-full">
      <aside
        className={`w-full shrink-0 border-line bg-surface sm:block sm:w-72 sm:border-r lg:w-80 ${id === undefined ? 'max-sm:block' : 'max-sm:hidden'}`}
      >
        <JobList openId={id} />
      </aside>
      <div className={`min-w-0 flex-1 ${id === undefined ? 'max-sm:hidden' : ''}`}>
        <Opened id={id} />
      </div>
    </div>
  )
}

function Opened({ id }: { id: string | undefined }) {
  if (id === undefined) return <AllMetrics />
  return id === 'new' ? <NewJob /> : <JobPane key={id} id={id} />
}
