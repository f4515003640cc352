import { Link } from 'wouter'
import { useRead } from '../api.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Badge, type Tone } from '../ui/status/badge.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { counted } from '../../src/domain/text/format.ts'
import { runStanding, type StandingRun } from '../../src/domain/workflow/play.ts'

/** The latest runs, whoever carries them out. */
export function RunList() {
  const listed = useRead('workflow.list_runs', {})
  if (listed.isPending) return <Loading />
  if (listed.isError) return <ErrorNote error={listed.error} />
  if (listed.data.runs.length === 0)
    return (
      <EmptyState title="No run yet" action={<ChooseWorkflow />}>
        Play a workflow here, or let a coding agent follow one over MCP. Every run is recorded step by step.
      </EmptyState>
    )
  return (
    <ul className="flex flex-col gap-2">
      {listed.data.runs.map((run) => (
        <li key={run.id}>
          <Link
            href={`/workflows/runs/${run.id}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-surface px-4 py-3 hover:bg-raised"
          >
            <span className="min-w-0 flex-1 basis-48">
              <span className="block truncate font-medium">{run.name}</span>
              <span className="block text-xs text-soft">
                {counted(run.done, 'step')} done · <Moment at={run.updated_at} />
              </span>
            </span>
            {run.play === null ? <Badge>outside agent</Badge> : <RoleBadge id={run.play.agent_role} />}
            <RunStatus run={run} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function ChooseWorkflow() {
  return (
    <Link href="/workflows" className="text-accent hover:underline">
      Choose a workflow
    </Link>
  )
}

/** The state of a run in a word. */
export function RunStatus({ run }: { run: StandingRun }) {
  const standing = runStanding(run)
  return <Badge tone={tones[standing]}>{standing}</Badge>
}

const tones: Record<ReturnType<typeof runStanding>, Tone> = {
  completed: 'good',
  'needs you': 'warn',
  open: 'accent',
  failed: 'danger',
  stopped: 'neutral',
  'at work': 'accent',
  interrupted: 'warn',
}
