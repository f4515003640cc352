import type { ReactNode } from 'react'
import type { ClaimedFile, JobInteraction } from '../../src/domain/job/history.ts'
import { durationText } from '../../src/domain/text/format.ts'
import { Badge, StateBadge, type Tone } from '../ui/status/badge.tsx'
import { Card } from '../ui/layout/card.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import { Money, Moment } from '../ui/text/figures.tsx'
import { RunLink } from '../trace/run-link.tsx'
import { jobStates } from './job-states.ts'

const actionTones: Record<string, Tone> = { COMPLETED: 'good', RETRY: 'warn', STUCK: 'danger' }
const foundTones: Record<ClaimedFile['found'], Tone> = {
  changed: 'good',
  unchanged: 'neutral',
  missing: 'danger',
  outside: 'danger',
  refused: 'danger',
}

/** One exchange with an agent: what it said, what it claims, and what is so. */
export function ExchangeCard({ exchange }: { exchange: JobInteraction }) {
  const { sequence, interaction, state_after, usage, took_ms, simulated, run_id } = exchange
  const { request, response, timestamp, state_before } = interaction
  const { role, model, phase } = request.metadata
  const action = response.actions[0]
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          {sequence}. {role}
          <Badge tone={action === undefined ? 'danger' : (actionTones[action] ?? 'neutral')}>{action ?? response.status}</Badge>
          {simulated && <Badge>by hand</Badge>}
        </span>
      }
      aside={
        <span className="text-xs text-soft">
          <Moment at={timestamp} /> · {durationText(took_ms)} · <Money spent={usage} />
          {run_id !== null && (
            <>
              {' · '}
              <RunLink run={run_id}>What it did</RunLink>
            </>
          )}
        </span>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
          phase {phase} · {model} · {jobStates[state_before].label} → <StateBadge look={jobStates[state_after]} />
        </p>
        <p className="whitespace-pre-wrap">{response.summary_for_supervisor}</p>
        <Claims exchange={exchange} />
        <Checks exchange={exchange} />
        <SetAsideNote exchange={exchange} />
        <div className="flex flex-col gap-1">
          <Folded title={`Prompt (${request.prompt.length.toLocaleString('en')} characters)`}>{request.prompt}</Folded>
          <Folded title={`Files given (${request.files_context.length})`}>{request.files_context.join('\n') || '(none)'}</Folded>
          <Folded title={`Raw answer (${response.raw_response.length.toLocaleString('en')} characters)`}>
            {response.raw_response || '(nothing)'}
          </Folded>
          <Folded title={`Exit command: ${action ?? 'none'}`}>{commandText(exchange)}</Folded>
        </div>
      </div>
    </Card>
  )
}

/** The command as it was understood; where there is none, why. */
function commandText({ interaction: { response } }: JobInteraction): string {
  const [action] = response.actions
  if (action === undefined) return `No exit command could be read from this answer: ${response.summary_for_supervisor}`
  const { evidence_files, summary_for_supervisor } = response
  return JSON.stringify({ action, evidence_files, summary_for_supervisor }, null, 2)
}

/** A Worker may leave ten thousand files; a page of so many lines would stand still. */
const SHOWN_AT_MOST = 200

/** What the agent claims on the left, what the repository says on the right. */
function Claims({ exchange: { evidence, seat } }: { exchange: JobInteraction }) {
  const unnamed = seat === 'worker' ? evidence.unclaimed : [] // a Supervisor names what it looked at, not what was changed
  if (evidence.claimed.length + evidence.changed.length === 0) return null
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <section>
        <h3 className="mb-1 text-xs font-semibold text-soft">Claimed</h3>
        <ul className="flex flex-col gap-1">
          {evidence.claimed.map(({ path, found, detail }) => (
            <li key={path} className="flex flex-wrap items-center gap-x-2">
              <Badge tone={foundTones[found]}>{found}</Badge>
              <code className="font-mono text-xs [overflow-wrap:anywhere]">{path}</code>
              {found !== 'changed' && <span className="text-xs text-soft">{detail}</span>}
            </li>
          ))}
          {evidence.claimed.length === 0 && <li className="text-xs text-soft">No file.</li>}
        </ul>
      </section>
      <section>
        <h3 className="mb-1 text-xs font-semibold text-soft">Actual changes in this phase</h3>
        <ul className="flex flex-col gap-1">
          {evidence.changed.slice(0, SHOWN_AT_MOST).map(({ path, status, added, removed }) => (
            <li key={path} className="flex flex-wrap items-center gap-x-2">
              <Badge tone={unnamed.includes(path) ? 'warn' : 'neutral'}>
                {unnamed.includes(path) ? `${status}, not reported` : status}
              </Badge>
              <code className="font-mono text-xs [overflow-wrap:anywhere]">{path}</code>
              <span className="text-xs text-soft tabular-nums">{added === null ? 'binary' : `+${added} -${removed}`}</span>
            </li>
          ))}
          {evidence.changed.length > SHOWN_AT_MOST && (
            <li className="text-xs text-soft">and {evidence.changed.length - SHOWN_AT_MOST} more files</li>
          )}
          {evidence.changed.length === 0 && <li className="text-xs text-soft">Nothing.</li>}
        </ul>
      </section>
    </div>
  )
}

function Checks({ exchange: { checks } }: { exchange: JobInteraction }) {
  if (checks.length === 0) return null
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-soft">Checks</h3>
      {checks.map(({ name, command, passed, exit_code, output }) => (
        <Folded
          key={name}
          title={
            <>
              <Badge tone={passed ? 'good' : 'danger'}>{passed ? 'passed' : 'failed'}</Badge> {name} · exit code {exit_code ?? 'none'} ·{' '}
              <code className="font-mono [overflow-wrap:anywhere] text-ink">{command}</code>
            </>
          }
        >
          {output || '(no output)'}
        </Folded>
      ))}
    </section>
  )
}

/** Where the files of an attempt are that failed: the next one began without them. */
function SetAsideNote({ exchange: { set_aside } }: { exchange: JobInteraction }) {
  if (set_aside === null) return null
  const { ref, restored_to } = set_aside
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-soft">Set aside</h3>
      <p className="mb-2 text-sm">This attempt failed. Its files are kept under a ref, and the next attempt started without them.</p>
      <CodeBlock label="See what it left" text={`git diff ${restored_to.slice(0, 12)} ${ref}`} />
    </section>
  )
}

function Folded({ title, children }: { title: ReactNode; children: string }) {
  return (
    <details>
      <summary className="cursor-pointer py-0.5 text-xs text-soft hover:text-ink">{title}</summary>
      <pre className="mt-1 max-h-96 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs whitespace-pre-wrap">
        {children}
      </pre>
    </details>
  )
}
