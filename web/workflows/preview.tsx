import { Bot, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OperationOutput } from '../../src/api/operations.ts'
import type { WorkflowFault } from '../../src/domain/workflow/faults.ts'
import { Card } from '../ui/layout/card.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { Graph } from './graph.tsx'

interface FaultsProps {
  faults: readonly WorkflowFault[]
  onLine: (line: number) => void
}

/** What is wrong with the text; each fault leads to its line. */
export function Faults({ faults, onLine }: FaultsProps) {
  if (faults.length === 0) return null
  return (
    <section aria-label="Faults" aria-live="polite" className="rounded-xl border border-danger/40 bg-danger-wash p-4">
      <h2 className="font-semibold text-danger">Cannot be saved yet</h2>
      <FaultList faults={faults} onLine={onLine} lineLook="text-danger" />
    </section>
  )
}

/** What its author probably did not mean; it can be saved all the same. */
export function Warnings({ faults, onLine }: FaultsProps) {
  if (faults.length === 0) return null
  return (
    <section aria-label="Warnings" aria-live="polite" className="rounded-xl border border-warn/50 bg-warn-wash p-4">
      <h2 className="font-semibold text-warn">Did you mean this?</h2>
      <FaultList faults={faults} onLine={onLine} lineLook="text-warn" />
    </section>
  )
}

function FaultList({ faults, onLine, lineLook }: FaultsProps & { lineLook: string }) {
  return (
    <ul className="mt-2 flex flex-col gap-2 text-sm">
      {faults.map(({ line, field, problem, fix }) => (
        <li key={`${line} ${field} ${problem}`}>
          <button type="button" onClick={() => onLine(line)} className="text-left hover:underline">
            <span className={`font-mono text-xs ${lineLook}`}>line {line}</span> <strong>{field}</strong>: {problem}
          </button>
          <p className="text-soft">What to do: {fix.replace(/[.?]$/, '')}.</p>
        </li>
      ))}
    </ul>
  )
}

/** The text as it will be: both sides of each step, side by side, or the graph. */
export function Preview({ checked }: { checked: OperationOutput<'workflow.check'> }) {
  if (checked.workflow === null) return null
  return (
    <Tabs
      tabs={[
        { key: 'sides', label: 'What each side sees', content: <Sides steps={checked.steps} /> },
        {
          key: 'graph',
          label: 'Graph',
          content: (
            <Card>
              <Graph steps={checked.workflow.steps} />
            </Card>
          ),
        },
      ]}
    />
  )
}

function Sides({ steps }: { steps: OperationOutput<'workflow.check'>['steps'] }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-xs text-soft">
        Only you, as the author, see the right side, and only here. People who play the workflow see the left side.
      </p>
      {steps.map((step) => (
        <Card key={step.id} title={step.title} aside={<code className="font-mono text-xs text-soft">{step.id}</code>}>
          <div className="grid gap-4 md:grid-cols-2">
            <Side icon={<User size={14} aria-hidden />} label="What the user sees" of={step.title}>
              <Markdown text={step.user} />
            </Side>
            <Side icon={<Bot size={14} aria-hidden />} label="What the agent reads" of={step.title}>
              <pre className="font-mono text-xs whitespace-pre-wrap">{step.agent}</pre>
            </Side>
          </div>
        </Card>
      ))}
    </div>
  )
}

function Side({ icon, label, of, children }: { icon: ReactNode; label: string; of: string; children: ReactNode }) {
  return (
    <section aria-label={`${label}: ${of}`} className="min-w-0">
      <h3 className="mb-1 flex items-center gap-1.5 text-xs font-semibold text-soft">
        {icon} {label}
      </h3>
      {children}
    </section>
  )
}
