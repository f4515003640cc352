import { ExternalLink } from 'lucide-react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Peek } from '../ui/overlay/peek.tsx'
import { RUN_PARAM, useRunAddress } from './run-link.tsx'
import { RunFigures, RunTitle } from './run-heading.tsx'
import { RunTrace } from './run-trace.tsx'
import { useTrace } from './use-trace.ts'

/** The trace of the run that the address names, beside the screen. */
export function RunPeek() {
  const [search] = useSearchParams()
  const run = search.get(RUN_PARAM)
  const address = useRunAddress()
  const [, go] = useLocation()
  if (run === null) return null
  return <Opened run={run} onClose={() => go(address(null))} />
}

function Opened({ run, onClose }: { run: string; onClose: () => void }) {
  const found = useTrace(run)
  const trace = found.data
  return (
    <Peek
      onClose={onClose}
      title={trace === undefined ? 'Trace' : <RunTitle role={trace.agent_role} at={trace.started_at} />}
      actions={
        <Link href={`/runs/${run}`} className="flex items-center gap-1 text-sm text-soft hover:text-ink">
          <ExternalLink size={14} aria-hidden /> Whole page
        </Link>
      }
    >
      {found.isError && trace === undefined && <ErrorNote error={found.error} />}
      {trace === undefined && !found.isError && <Loading label="Reading the trace" />}
      {trace !== undefined && (
        <div className="flex h-full flex-col">
          <RunFigures trace={trace} />
          <RunTrace runId={run} className="min-h-0 flex-1 pt-2" />
        </div>
      )}
    </Peek>
  )
}
