import { durationText } from '../../src/domain/text/format.ts'
import { useRead } from '../api.ts'
import { LiveTrace } from '../trace/live-trace.tsx'
import { useTitle } from '../title.ts'
import { BackArrow } from '../ui/layout/back-link.tsx'
import { StateBadge, Badge } from '../ui/status/badge.tsx'
import { Money, ProgressBar } from '../ui/text/figures.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { Loading, EmptyState, ErrorNote } from '../ui/status/notice.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { Changes } from './changes.tsx'
import { JobDone } from './job-done.tsx'
import type { JobView } from './job-view.ts'
import { JobMetrics } from './job-metrics.tsx'
import { jobStates } from './job-states.ts'
import { JobTimeline } from './job-timeline.tsx'
import { StewardButtons } from './steward-buttons.tsx'

/** One job: its state and what its Steward can do at the top, what happened below. */
export function JobPane({ id }: { id: string }) {
  const found = useRead('job.status', { job: id })
  useTitle(id)
  if (found.isPending) return <Loading />
  if (found.isError) return <Missing error={found.error} what="job" back={{ href: '/jobs', label: 'All jobs' }} />
  const view = found.data
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-5xl flex-col gap-4 px-4 py-4 sm:px-6">
        <Heading view={view} />
        {view.job.status === 'SUCCESS' && <JobDone view={view} />}
        <StewardButtons view={view} />
        {view.job.active?.run_id != null && <LiveTrace key={view.job.active.run_id} run={view.job.active.run_id} />}
        <Tabs
          tabs={[
            { key: 'timeline', label: 'Timeline', content: <JobTimeline key={id} id={id} /> },
            { key: 'objective', label: 'Objective', content: <Objective view={view} /> },
            { key: 'changes', label: 'Changes', content: view.job.base_commit === null ? <p>Nothing yet.</p> : <Changes view={view} /> },
            { key: 'metrics', label: 'Metrics', content: <JobMetrics id={id} /> },
            { key: 'replay', label: 'Replay', content: <JobReplay id={id} /> },
          ]}
        />
      </div>
    </div>
  )
}

function Heading({ view: { summary, job, doubts, worked_on } }: { view: JobView }) {
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <BackArrow href="/jobs" label="All jobs" />
        <h1 className="min-w-0 text-xl font-semibold tracking-tight">{job.id}</h1>
        <StateBadge look={jobStates[job.status]} reason={job.reason} />
      </div>
      <p className="line-clamp-3 text-soft">{summary.title}</p>
      {job.reason_text !== '' && (
        <p role="alert" className="rounded-lg border border-danger/40 bg-danger-wash px-3 py-2 text-danger first-letter:uppercase">
          {job.reason_text}
        </p>
      )}
      {doubts.length > 0 && (
        <p role="note" aria-label="Before you approve" className="rounded-lg border border-warn/60 bg-warn-wash px-3 py-2 text-warn">
          Before you approve: {doubts.join('; ')}.
        </p>
      )}
      <ProgressBar done={summary.phase.number - (job.status === 'SUCCESS' ? 0 : 1)} of={summary.phase.of} label="Phases passed" />
      <p className="text-xs text-soft">
        Phase {summary.phase.number} of {summary.phase.of}: {summary.phase.name} · round {job.rounds + 1} · {job.iterations} of{' '}
        {job.limits.max_iterations} steps · {durationText(job.worked_ms)} · <Money spent={summary} of={summary.max_cost_microusd} />
        {job.active !== null &&
          ` · ${job.active.seat} at work in process ${job.active.pid} on ${job.active.host}${worked_on ? '' : ', which is gone'}`}
      </p>
    </header>
  )
}

function Objective({ view: { job } }: { view: JobView }) {
  const rows: [string, string][] = [
    ['Objective', job.objective],
    ['Details', job.details],
    ['Prompt', job.prompt],
    ['Acceptance', job.acceptance_criteria.join('\n')],
    ['Phases', job.phases.map(({ name, description }) => (description === '' ? name : `${name}: ${description}`)).join('\n')],
    ['Checks', job.checks.map(({ name, command }) => `${name}: ${command}`).join('\n')],
    ['Worker', `${job.roles.worker.role} · ${job.roles.worker.model ?? 'its own model'}`],
    ['Supervisor', `${job.roles.supervisor.role} · ${job.roles.supervisor.model ?? 'its own model'}`],
    ['Workspace', `${job.workspace}\n${job.branch} from ${job.base_commit ?? job.base}`],
    ['Waiting notes', job.feedback.map(({ from, text }) => `${from}: ${text}`).join('\n')],
  ]
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
      {rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-xs font-medium text-soft">{name}</dt>
            <dd className="whitespace-pre-wrap">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** The record played through today's rules: what was recorded on the left, what would happen now on the right. */
function JobReplay({ id }: { id: string }) {
  const replay = useRead('job.replay', { job: id })
  if (replay.isPending) return <Loading label="Replaying" />
  if (replay.isError) return <ErrorNote error={replay.error} />
  const { interactions, differences } = replay.data
  if (differences.length === 0) {
    return (
      <EmptyState title={`${interactions} exchanges replayed without a difference`}>
        Every recorded answer leads through today’s rules to the state it led to then. No model was asked.
      </EmptyState>
    )
  }
  return (
    <ul className="flex flex-col gap-3">
      {differences.map(({ sequence, what, recorded, now }) => (
        <li key={`${sequence} ${what}`} className="rounded-lg border border-line bg-surface p-3">
          <p className="mb-2 flex items-center gap-2">
            Exchange {sequence} <Badge tone="warn">{what}</Badge>
          </p>
          <div className="grid gap-2 font-mono text-xs sm:grid-cols-2">
            <p className="rounded bg-danger-wash p-2">
              <span className="block font-sans text-soft">Recorded</span>
              {recorded}
            </p>
            <p className="rounded bg-good-wash p-2">
              <span className="block font-sans text-soft">Now</span>
              {now}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
