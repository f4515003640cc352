import type { TaskView } from './task-view.ts'
import { shortIds } from '../../../src/domain/text/format.ts'
import { Badge, type Tone } from '../../ui/status/badge.tsx'
import { Bullets } from '../../ui/text/bullets.tsx'
import { Moment } from '../../ui/text/figures.tsx'
import { EmptyState } from '../../ui/status/notice.tsx'
import { BlockerNote } from './blocker-note.tsx'

type Given = TaskView['verdicts'][number]
type Verdict = Given['verdict']

const priorTones: Record<Verdict['prior_findings'][number]['status'], Tone> = {
  RESOLVED: 'good',
  PARTIAL: 'warn',
  'STILL PRESENT': 'danger',
}

/** Every verdict on a task, newest first. */
export function VerdictList({ verdicts }: { verdicts: readonly Given[] }) {
  if (verdicts.length === 0) {
    return (
      <EmptyState title="No verdict yet">A code reviewer looks at the whole range and approves it, or rejects it with findings.</EmptyState>
    )
  }
  return (
    <ol className="flex flex-col gap-4">
      {verdicts.map((given) => (
        <li key={given.id} className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4">
          <header className="flex flex-wrap items-center gap-2">
            <Badge tone={given.verdict.verdict === 'APPROVED' ? 'good' : 'danger'}>{given.verdict.verdict.toLowerCase()}</Badge>
            <span className="font-medium">
              Round {given.round} by {given.by}
            </span>
            <code className="font-mono text-xs text-soft">{shortIds(given.verdict.review_commit)}</code>
            <Moment at={given.timestamp} className="ml-auto text-xs text-soft" />
          </header>
          <PriorFindings verdict={given.verdict} />
          {given.verdict.verdict === 'APPROVED' ? <Approval verdict={given.verdict} /> : <Rejection verdict={given.verdict} />}
        </li>
      ))}
    </ol>
  )
}

function Approval({ verdict }: { verdict: Extract<Verdict, { verdict: 'APPROVED' }> }) {
  return (
    <>
      <dl className="flex flex-col gap-2 text-sm">
        {verdict.criteria.map(({ criterion, evidence }) => (
          <div key={criterion}>
            <dt className="font-medium">{criterion}</dt>
            <dd className="text-soft">{evidence}</dd>
          </div>
        ))}
      </dl>
      <ul className="flex flex-col gap-1 text-xs">
        {verdict.commands.map(({ command, exit_code }) => (
          <li key={command} className="flex items-center gap-2">
            <Badge tone={exit_code === 0 ? 'good' : 'danger'}>exit {exit_code}</Badge>
            <code className="min-w-0 font-mono break-all">{command}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

function Rejection({ verdict }: { verdict: Extract<Verdict, { verdict: 'REJECTED' }> }) {
  return (
    <>
      {verdict.blockers.map((blocker) => (
        <BlockerNote key={blocker.id} blocker={blocker} whole />
      ))}
      {verdict.concerns.length > 0 && (
        <div className="text-sm">
          <p className="text-xs font-semibold text-soft">Concerns that do not block</p>
          <Bullets lines={verdict.concerns} />
        </div>
      )}
      {verdict.judgement !== '' && <p className="text-sm">{verdict.judgement}</p>}
    </>
  )
}

function PriorFindings({ verdict }: { verdict: Verdict }) {
  if (verdict.prior_findings.length === 0) return null
  return (
    <ul aria-label="Earlier findings" className="flex flex-col gap-1 text-sm">
      {verdict.prior_findings.map(({ id, status, note }) => (
        <li key={id} className="flex flex-wrap items-center gap-2">
          <Badge tone={priorTones[status]}>{status.toLowerCase()}</Badge>
          <span>Finding {id}</span>
          <span className="text-soft">{note}</span>
        </li>
      ))}
    </ul>
  )
}
