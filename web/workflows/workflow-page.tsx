import { Copy, Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { OutlineStep, WorkflowOutline } from '../../src/domain/workflow/view.ts'
import { useRead } from '../api.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { BackLink } from '../ui/layout/back-link.tsx'
import { Badge } from '../ui/status/badge.tsx'
import { Bullets } from '../ui/text/bullets.tsx'
import { Button } from '../ui/form/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { SourceBadge } from './catalogue.tsx'
import { conditionText } from './condition-text.ts'
import { Graph } from './graph.tsx'
import { NewWorkflow } from './new-workflow.tsx'
import { StartForm } from './start-form.tsx'

/** One workflow: what it is for, its steps as a graph, and the form that has it played. */
export function WorkflowPage({ id }: { id: string }) {
  const found = useRead('workflow.show', { workflowId: id })
  const [copying, setCopying] = useState(false)
  if (found.isPending) return <Loading />
  if (found.isError) return <Missing error={found.error} what="workflow" back={{ href: '/workflows', label: 'All workflows' }} />
  const { workflow, source, file, edit } = found.data
  return (
    <Page
      title={workflow.name}
      about={workflow.description}
      standing={
        <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
          <BackLink href="/workflows">All workflows</BackLink>
          <SourceBadge source={source} /> <span>{workflow.version}</span> <code className="font-mono break-all">{file}</code>
        </p>
      }
      actions={
        <>
          {edit !== null && (
            <Link
              href={`/workflows/edit?file=${encodeURIComponent(edit)}`}
              className="inline-flex h-9 items-center gap-1.5 rounded-md border border-line bg-surface px-3 text-sm font-medium hover:bg-raised"
            >
              <Pencil size={16} aria-hidden /> Edit
            </Link>
          )}
          <Button icon={Copy} onClick={() => setCopying(true)}>
            Copy
          </Button>
        </>
      }
    >
      <StartForm workflow={workflow} />
      <Steps workflow={workflow} />
      {copying && <NewWorkflow onClose={() => setCopying(false)} from={id} />}
    </Page>
  )
}

function Steps({ workflow }: { workflow: WorkflowOutline }) {
  const all = workflow.steps.flatMap((step) => step.loop?.body ?? [step])
  const [chosen, setChosen] = useState(all[0]?.id ?? null)
  const step = all.find(({ id }) => id === chosen)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Steps">
        <Graph steps={workflow.steps} chosen={chosen} onChoose={setChosen} />
      </Card>
      <div className="flex flex-col gap-4 lg:sticky lg:top-0">
        {step && <StepCard step={step} />}
        <Lines title="Before you start" lines={workflow.preconditions} />
        <Lines title="Have answers ready" lines={workflow.clarificationPrompts} />
      </div>
    </div>
  )
}

function StepCard({ step }: { step: OutlineStep }) {
  return (
    <Card title={step.title} aside={<code className="font-mono text-xs text-soft">{step.id}</code>}>
      <div className="flex flex-col gap-3" aria-live="polite">
        <p className="flex flex-wrap gap-2 empty:hidden">
          {step.role !== null && <RoleBadge id={step.role} />}
          {step.requireConfirmation && <Badge tone="warn">you confirm</Badge>}
          {step.validated && <Badge>output checked</Badge>}
          {step.runCondition !== null && <Badge tone="warn">when {conditionText(step.runCondition)}</Badge>}
        </p>
        <Markdown text={step.prompt ?? ''} />
      </div>
    </Card>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Card title={title}>
      <Bullets lines={lines} />
    </Card>
  )
}
