import { FileWarning, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { OperationOutput } from '../../src/api/operations.ts'
import type { WorkflowSummary } from './types.ts'
import { counted } from '../../src/domain/text/format.ts'
import { hasWords } from '../../src/domain/text/typed.ts'
import { useRead } from '../api.ts'
import { Badge, type Tone } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { NewWorkflow } from './new-workflow.tsx'
import { RunList } from './run-list.tsx'

/** Every workflow that can be played, the files that were refused, and the runs; and the form for a new one. */
export function Catalogue({ making }: { making: boolean }) {
  const [, go] = useLocation()
  const listed = useRead('workflow.list', {})
  const runs = useRead('workflow.list_runs', {})
  const waiting = runs.data?.runs.filter(({ play }) => play?.status === 'waiting').length ?? 0
  return (
    <Page
      title="Workflows"
      about="Proven step-by-step procedures. Troupe’s own agent plays them, or any coding agent follows them over MCP."
      actions={
        <Button look="primary" icon={Plus} onClick={() => go('/workflows/new')}>
          New workflow
        </Button>
      }
    >
      {listed.isPending && <Loading />}
      {listed.isError && <ErrorNote error={listed.error} />}
      {listed.data && (
        <Tabs
          tabs={[
            { key: 'workflows', label: `Workflows (${listed.data.workflows.length})`, content: <Workflows listed={listed.data} /> },
            { key: 'runs', label: <RunsLabel count={runs.data?.runs.length ?? 0} waiting={waiting} />, content: <RunList /> },
          ]}
        />
      )}
      {making && <NewWorkflow onClose={() => go('/workflows')} from={null} />}
    </Page>
  )
}

function RunsLabel({ count, waiting }: { count: number; waiting: number }) {
  return (
    <span className="flex items-center gap-2">
      Runs ({count}) {waiting > 0 && <Badge tone="warn">{waiting} waiting</Badge>}
    </span>
  )
}

function Workflows({ listed }: { listed: OperationOutput<'workflow.list'> }) {
  const [words, setWords] = useState('')
  const shown = listed.workflows.filter(({ id, name, description, source }) => hasWords(`${id} ${name} ${description} ${source}`, words))
  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-md">
        <TextField
          label="Search workflows"
          hideLabel
          type="search"
          placeholder="Search by name, purpose or source"
          value={words}
          onText={setWords}
        />
      </div>
      <Refused refused={listed.refused} />
      {shown.length === 0 && (
        <EmptyState title={`No workflow matches “${words}”`}>
          Try other words, or write one: a workflow is a file in .troupe/workflows.
        </EmptyState>
      )}
      <ul className="grid gap-3 sm:grid-cols-2">
        {shown.map((workflow) => (
          <li key={workflow.id}>
            <WorkflowCard workflow={workflow} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const tones: Record<WorkflowSummary['source'], Tone> = { 'built-in': 'neutral', user: 'accent', project: 'good', path: 'warn' }

function WorkflowCard({ workflow }: { workflow: WorkflowSummary }) {
  const { id, name, description, version, steps, source, shadows } = workflow
  return (
    <Link
      href={`/workflows/show/${id}`}
      className="flex h-full flex-col gap-2 rounded-xl border border-line bg-surface p-4 hover:border-accent hover:bg-raised"
    >
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{name}</span>
        <SourceBadge source={source} />
        {shadows.length > 0 && <Badge tone="warn">instead of {shadows.at(-1)?.source}</Badge>}
      </span>
      <span className="text-sm text-soft">{description}</span>
      <span className="mt-auto text-xs text-soft">
        {counted(steps, 'step')} · {version} · <code className="font-mono">{id}</code>
      </span>
    </Link>
  )
}

/** Where a workflow came from. */
export function SourceBadge({ source }: { source: WorkflowSummary['source'] }) {
  return <Badge tone={tones[source]}>{source === 'path' ? 'TROUPE_WORKFLOW_PATH' : source}</Badge>
}

function Refused({ refused }: { refused: OperationOutput<'workflow.list'>['refused'] }) {
  if (refused.length === 0) return null
  const files = [...Map.groupBy(refused, ({ file }) => file)]
  return (
    <section aria-label="Refused files" className="rounded-xl border border-warn/50 bg-warn-wash p-4">
      <h2 className="flex items-center gap-2 font-semibold text-warn">
        <FileWarning size={16} aria-hidden /> {counted(files.length, 'file')} refused
      </h2>
      <ul className="mt-2 flex flex-col gap-2 text-sm">
        {files.map(([file, faults]) => (
          <li key={file}>
            <details>
              <summary className="cursor-pointer break-all">
                <code className="font-mono text-xs">{file}</code> <span className="text-soft">{counted(faults.length, 'problem')}</span>
              </summary>
              <ul className="mt-1 flex flex-col gap-1 pl-4">
                {faults.map((fault) => (
                  <RefusedFault key={`${fault.line}:${fault.field}`} fault={fault} />
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

function RefusedFault({ fault: { line, field, problem, fix, edit } }: { fault: OperationOutput<'workflow.list'>['refused'][number] }) {
  return (
    <li>
      <p>
        Line {line}, <strong>{field}</strong>: {problem}. <span className="text-soft">What to do: {fix}.</span>{' '}
        {edit !== null && (
          <Link href={`/workflows/edit?file=${encodeURIComponent(edit)}`} className="text-accent underline">
            Edit
          </Link>
        )}
      </p>
    </li>
  )
}
