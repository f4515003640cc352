import { Check, CircleDot, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WorkflowRunView } from './types.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { LiveTrace } from '../trace/live-trace.tsx'
import { RunLink } from '../trace/run-link.tsx'
import { Badge } from '../ui/status/badge.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { EmptyState } from '../ui/status/notice.tsx'

type DoneStep = WorkflowRunView['steps'][number]
type Played = Pick<DoneStep, 'agent_role' | 'capped' | 'refusals' | 'decisions' | 'runs'>

/** What was done, one step after the other, with what was decided on the way; at its end what is going on now. */
export function Timeline({ run }: { run: WorkflowRunView }) {
  return (
    <ol aria-label="Timeline" className="flex flex-col">
      {run.steps.map((step) => (
        <Done key={step.key} step={step} />
      ))}
      {run.open !== null && <Open run={run} open={run.open} />}
      {run.missing.length > 0 && (
        <Item icon={<CircleDot size={16} className="text-warn" aria-hidden />} title="Waiting for information">
          <p className="text-soft">Missing: {run.missing.map((name) => `“${name}”`).join(', ')}.</p>
        </Item>
      )}
      {run.status === 'completed' && (
        <li>
          <EmptyState title="The workflow is complete" icon={<Check size={28} className="text-good" aria-hidden />} />
        </li>
      )}
    </ol>
  )
}

function Done({ step }: { step: DoneStep }) {
  return (
    <Item
      icon={<Check size={16} className="text-good" aria-hidden />}
      title={step.title}
      aside={
        <>
          {step.confirmed_by !== null && (
            <Badge tone="good">
              <UserCheck size={12} aria-hidden /> confirmed by {step.confirmed_by}
            </Badge>
          )}
          <Moment at={step.at} className="text-xs text-soft" />
        </>
      }
    >
      <HowPlayed played={step} stepKey={step.key} />
      <details open={step.output.length < 600} className="rounded-lg border border-line bg-surface px-3 py-2">
        <summary className="cursor-pointer text-xs font-medium text-soft">Output</summary>
        <Markdown text={step.output} />
      </details>
    </Item>
  )
}

function Open({ run, open }: { run: WorkflowRunView; open: NonNullable<WorkflowRunView['open']> }) {
  const { position, of, round } = open.progress
  const newest = run.current?.runs.at(-1)
  return (
    <Item
      icon={<CircleDot size={16} className="text-accent" aria-hidden />}
      title={open.title}
      aside={
        <span className="text-xs text-soft">
          step {position} of {of}
          {round !== null && ` · ${round}`}
        </span>
      }
    >
      {run.current !== null && <HowPlayed played={run.current} stepKey={open.key} />}
      <Markdown text={open.prompt} />
      {newest !== undefined && <LiveTrace run={newest} />}
    </Item>
  )
}

function HowPlayed({ played, stepKey }: { played: Played; stepKey: string }) {
  const { agent_role, capped, refusals, decisions, runs } = played
  return (
    <div className="flex flex-col gap-1 text-xs text-soft">
      <p className="flex flex-wrap items-center gap-2">
        {agent_role !== null && <RoleBadge id={agent_role} />}
        <code className="font-mono">{stepKey}</code>
        {capped.length > 0 && (
          <Badge tone="warn" title={`The role you chose does not allow ${capped.join(', ')}`}>
            capped by the role you chose
          </Badge>
        )}
        {runs.map((run, at) => (
          <RunLink key={run} run={run}>
            {runs.length === 1 ? 'What the agent did' : `Attempt ${at + 1}`}
          </RunLink>
        ))}
      </p>
      {decisions.length > 0 && (
        <ul aria-label="Decisions">
          {decisions.map(({ step, decision, why }) => (
            <li key={`${step} ${decision}`}>
              <strong className="font-medium">{decision.replace('_', ' ')}</strong> {step}: {why}
            </li>
          ))}
        </ul>
      )}
      {refusals.map(({ issues, at }) => (
        <p key={at} className="text-warn">
          Not accepted: {issues.join(' ')}
        </p>
      ))}
    </div>
  )
}

function Item({ icon, title, aside, children }: { icon: ReactNode; title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <li className="relative border-l border-line pb-6 pl-6 last:border-transparent">
      <span className="absolute top-0.5 -left-2.5 rounded-full border border-line bg-surface p-0.5">{icon}</span>
      <div className="flex flex-col gap-2">
        <header className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="font-semibold">{title}</h2>
          <span className="flex flex-wrap items-center gap-2">{aside}</span>
        </header>
        {children}
      </div>
    </li>
  )
}
