import { Link, useParams } from 'wouter'
import { useRoles } from '../roles/role-badge.tsx'
import { useTitle } from '../title.ts'
import { Header } from '../ui/layout/header.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { Loading } from '../ui/status/notice.tsx'
import { RunFigures, RunTitle } from './run-heading.tsx'
import { RunTrace } from './run-trace.tsx'
import { useTrace, type Trace } from './use-trace.ts'

/** Everything an agent did in one run, on a page of its own. */
export default function RunScreen() {
  const { id } = useParams<{ id: string }>()
  const found = useTrace(id)
  if (found.data === undefined)
    return found.isError ? <Missing error={found.error} what="run" back={{ href: '/', label: 'Troupe' }} /> : <Loading />
  return <Run trace={found.data} />
}

const ways = { chat: 'Open the chat', job: 'Open the job', workflow: 'Open the workflow run', board: 'Open on the board', run: '' }

function Run({ trace }: { trace: Trace }) {
  const name = useRoles().get(trace.agent_role)?.name ?? trace.agent_role
  useTitle(`What ${name} did`)
  return (
    <div className="flex h-full flex-col">
      <Header
        title={<RunTitle role={trace.agent_role} at={trace.started_at} />}
        actions={
          <span className="flex gap-4 text-sm">
            {trace.parent_run_id !== null && (
              <Link href={`/runs/${trace.parent_run_id}`} className="text-accent hover:underline">
                Started by another agent
              </Link>
            )}
            {trace.link !== null && (
              <Link href={trace.link} className="text-accent hover:underline">
                {ways[trace.way]}
              </Link>
            )}
          </span>
        }
      />
      <RunFigures trace={trace} />
      <div className="mx-auto min-h-0 w-full max-w-prose flex-1">
        <RunTrace runId={trace.run_id} className="h-full pt-2" />
      </div>
    </div>
  )
}
