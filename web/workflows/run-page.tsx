import { Play, Square } from 'lucide-react'
import { Link } from 'wouter'
import type { WorkflowRunView } from './types.ts'
import { counted } from '../../src/domain/text/format.ts'
import { usePerform, useRead } from '../api.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { BackLink } from '../ui/layout/back-link.tsx'
import { Button } from '../ui/form/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Money, ProgressBar, Tokens } from '../ui/text/figures.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Graph, type StepStatus } from './graph.tsx'
import { RunStatus } from './run-list.tsx'
import { CodeCard, RunQuestion } from './run-question.tsx'
import { Timeline } from './timeline.tsx'

/** One run: what waits for a person first, then what was done, what is going on, and the map of it all. */
export function RunPage({ id }: { id: string }) {
  const found = useRead('workflow.show_run', { run: id })
  if (found.isPending) return <Loading />
  if (found.isError) return <Missing error={found.error} what="run" back={{ href: '/workflows?tab=runs', label: 'All runs' }} />
  const run = found.data
  const of = run.open?.progress.of ?? run.workflow.steps.length
  const done = run.status === 'completed' ? of : (run.open?.progress.position ?? passedSteps(run) + 1) - 1
  return (
    <Page title={run.name} standing={<Standing run={run} />} actions={<RunActions run={run} />}>
      <ProgressBar done={done} of={of} label={`${done} of ${of} steps done`} />
      <Ended run={run} />
      {run.question !== null && <RunQuestion key={run.question.id} run={run} question={run.question} />}
      {run.play === null && run.confirmation !== null && <CodeCard confirmation={run.confirmation} />}
      <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
        <Timeline run={run} />
        <div className="flex flex-col gap-4">
          <Card title="Map">
            <Graph steps={run.workflow.steps} statuses={statusesOf(run)} />
          </Card>
          <Variables context={run.context} />
        </div>
      </div>
    </Page>
  )
}

/** How far a run came that has no open step: up to the last step that was done or left out. A loop may have more rounds to come. */
function passedSteps(run: WorkflowRunView): number {
  const left = run.steps.flatMap((step) => step.decisions).concat(run.current?.decisions ?? [])
  const passed = [...run.steps.map(({ key }) => key), ...left.filter(({ decision }) => decision === 'skipped').map(({ step }) => step)]
  const ids = new Set(passed.map((key) => key.split(/[@:]/, 1)[0]))
  const last = run.workflow.steps.findLastIndex(({ id }) => ids.has(id))
  return run.workflow.steps[last]?.loop ? last : last + 1
}

function Standing({ run }: { run: WorkflowRunView }) {
  const { play } = run
  return (
    <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
      <BackLink href="/workflows?tab=runs">All runs</BackLink>
      <RunStatus run={run} />
      <Link href={`/workflows/show/${run.workflow_id}`} className="text-accent hover:underline">
        {run.workflow_id} {run.workflow.version}
      </Link>
      {play === null && <span>carried out by an outside agent over MCP</span>}
      {play !== null && (
        <>
          <RoleBadge id={play.agent_role} />
          <code className="font-mono break-all">{play.workspace}</code>
          <span>
            {counted(play.turns, 'turn')} · <Tokens usage={play.usage} /> · <Money spent={play.usage} />
          </span>
        </>
      )}
    </p>
  )
}

function RunActions({ run }: { run: WorkflowRunView }) {
  const stop = usePerform('workflow.stop')
  const resume = usePerform('workflow.continue')
  const { play } = run
  if (play === null || play.status === 'completed') return null
  if (play.status === 'waiting' || play.at_work)
    return (
      <Button look="danger" icon={Square} disabled={stop.isPending} onClick={() => stop.mutate({ run: run.id })}>
        Stop
      </Button>
    )
  return (
    <>
      {resume.isError && <ErrorNote error={resume.error} />}
      <Button look="primary" icon={Play} disabled={resume.isPending} onClick={() => resume.mutate({ run: run.id })}>
        Continue
      </Button>
    </>
  )
}

/** Why a play is not going on, and that nothing of it is lost. */
function Ended({ run: { play } }: { run: WorkflowRunView }) {
  if (play === null || play.at_work || play.status === 'waiting' || play.status === 'completed') return null
  const why = {
    failed: `It failed: ${play.message ?? play.reason ?? 'unknown reason'}`,
    stopped: 'It was stopped.',
    playing: 'The process that played it has ended.',
  }[play.status]
  return (
    <p role="status" className="rounded-lg border border-warn/50 bg-warn-wash px-3 py-2 text-warn">
      {why} Finished steps are kept; Continue resumes the open one.
    </p>
  )
}

function Variables({ context }: { context: Record<string, unknown> }) {
  const names = Object.keys(context)
  if (names.length === 0) return null
  return (
    <Card title="Variables">
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-sm">
        {names.map((name) => (
          <div key={name} className="contents">
            <dt className="font-mono text-xs text-soft">{name}</dt>
            <dd className="font-mono text-xs break-all">{JSON.stringify(context[name])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function statusesOf(run: WorkflowRunView): ReadonlyMap<string, StepStatus> {
  const decisions = [...run.steps.flatMap((step) => step.decisions), ...(run.current?.decisions ?? [])]
  const skipped = decisions.filter(({ decision }) => decision === 'skipped').map(({ step }) => [stepOf(step), 'skipped'] as const)
  const done = run.steps.map(({ key }) => [stepOf(key), 'done'] as const)
  return new Map<string, StepStatus>([...skipped, ...done, ...(run.open === null ? [] : [[stepOf(run.open.key), 'open'] as const])])
}

/** A step of a loop is named by its round (`loop@2::step`); on the map it is one box. */
function stepOf(key: string): string {
  return key.split('::').at(-1) ?? key
}
