import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { TaskLink } from '../../../src/domain/board/task.ts'
import type { TaskView } from './task-view.ts'
import { shortIds } from '../../../src/domain/text/format.ts'
import { StateBadge } from '../../ui/status/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PatchView } from '../../ui/diff/diff-view.tsx'
import { taskStates } from '../../../src/domain/board/task-flow.ts'

/** What is to be done, when it is done, and which gates it has passed. */
export function TaskAbout({ boardId, view }: { boardId: string; view: TaskView }) {
  return (
    <div className="flex flex-col gap-4">
      {view.spec_delta !== null && <SpecDelta view={view} delta={view.spec_delta} />}
      <AboutColumns boardId={boardId} view={view} />
    </div>
  )
}

function AboutColumns({ boardId, view }: { boardId: string; view: TaskView }) {
  const { task } = view
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Card title="What is to be done">
        <dl className="flex flex-col gap-4">
          <Stated name="Description" text={task.description} />
          <Stated name="Done when" text={task.done_when} />
          <Stated name="Scope" text={task.scope} />
          <Stated name="Spec" text={task.spec_ref} mono />
          {task.rejection_reason !== null && <Stated name="Why it was sent back" text={task.rejection_reason} />}
          {task.blocked_reason !== null && <Stated name="Why it is blocked" text={task.blocked_reason} />}
          {task.attempted.length > 0 && <Stated name="What was tried" text={task.attempted.map((one) => `• ${one}`).join('\n')} />}
          {task.rescope_reason !== null && <Stated name="Why it was rescoped" text={task.rescope_reason} />}
          {task.integration_output !== null && <Output text={task.integration_output} />}
        </dl>
      </Card>
      <div className="flex flex-col gap-4">
        <Gates view={view} />
        <Links boardId={boardId} title="Depends on" links={view.depends_on} empty="Nothing." />
        <Links boardId={boardId} title="Blocks" links={view.dependents} empty="Nobody." />
        <Place view={view} />
      </div>
    </div>
  )
}

/** A reviewer holds the work against the spec as it is now, so whoever looks has to see both. */
function SpecDelta({ view, delta }: { view: TaskView; delta: string }) {
  return (
    <section aria-label="The spec changed" className="flex flex-col gap-2 rounded-xl border border-warn/40 bg-warn-wash p-4">
      <p className="text-warn">
        <strong>The spec changed since this task was finalized.</strong> Work is reviewed against the text as it is now.
      </p>
      <div className="rounded-lg bg-surface">
        <PatchView path={view.task.spec_ref ?? 'spec'} patch={delta} />
      </div>
    </section>
  )
}

function Stated({ name, text, mono = false }: { name: string; text: string | null; mono?: boolean }) {
  return (
    <div>
      <dt className="text-xs font-semibold text-soft">{name}</dt>
      <dd className={`whitespace-pre-wrap ${mono ? 'font-mono text-sm' : ''} ${text === null ? 'text-soft' : ''}`}>
        {text ?? 'not stated yet'}
      </dd>
    </div>
  )
}

function Output({ text }: { text: string }) {
  return (
    <div>
      <dt className="text-xs font-semibold text-soft">What the integration said</dt>
      <dd>
        <pre tabIndex={0} className="mt-1 max-h-80 overflow-auto rounded-lg bg-raised p-3 font-mono text-xs whitespace-pre-wrap">
          {text}
        </pre>
      </dd>
    </div>
  )
}

function Gates({ view }: { view: TaskView }) {
  return (
    <Card title="Gates">
      <ul className="flex flex-col gap-2">
        {view.gates.map(({ gate, passed, reason }) => (
          <li key={gate} className="flex gap-2">
            {passed ? (
              <Check size={16} className="mt-0.5 shrink-0 text-good" aria-label="passed" />
            ) : (
              <X size={16} className="mt-0.5 shrink-0 text-danger" aria-label="not passed" />
            )}
            <span className="min-w-0">
              <span className="font-medium">{gate}</span> <span className="text-soft">{reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Links({ boardId, title, links, empty }: { boardId: string; title: string; links: readonly TaskLink[]; empty: string }) {
  return (
    <Card title={title}>
      {links.length === 0 && <p className="text-soft">{empty}</p>}
      <ul className="flex flex-col gap-1.5">
        {links.map((link) => (
          <li key={link.id} className="flex items-center gap-2">
            <Link href={`/board/${boardId}/task/${link.id}`} className="min-w-0 flex-1 truncate text-accent underline" title={link.title}>
              {link.id}: {link.title}
            </Link>
            <StateBadge look={taskStates[link.status]} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Place({ view }: { view: TaskView }) {
  const { task, branch } = view
  const facts: [string, ReactNode][] = [
    ['Branch', branch],
    ['Worktree', task.worktree ?? 'none'],
    ['Base', shortIds(task.base_commit ?? 'none')],
    ['Under review', shortIds(task.review_commit ?? 'nothing')],
    ['Approved by', task.approved_by ?? 'nobody'],
    ['Merged as', shortIds(task.merge_commit ?? 'not merged')],
    ...view.earlier_work.map(({ from, ref }, at): [string, ReactNode] => [`Work of ${from ?? 'an earlier coder'} (${at + 1})`, ref]),
  ]
  return (
    <Card title="Git">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="font-mono text-xs leading-6 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
