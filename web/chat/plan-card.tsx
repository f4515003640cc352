import { Check, CircleDashed, ListChecks, LoaderCircle, Pencil, Split, Zap } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import type { RoleView } from '../../src/api/contract/role.ts'
import type { Plan, PlanStep } from '../../src/domain/plan.ts'
import { workKinds } from '../../src/domain/work-kinds.ts'
import { useChange } from '../api.ts'
import { useRoles } from '../roles/role-badge.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Moment, ProgressBar } from '../ui/figures.tsx'
import { ErrorNote } from '../ui/notice.tsx'
import { PlanChanges } from './plan-changes.tsx'
import { PlanEditor } from './plan-editor.tsx'

const tones: Record<Plan['status'], Tone> = { draft: 'accent', approved: 'good', executed: 'good', superseded: 'neutral' }

/** A plan to read, change and execute; once it is executed, the same card shows how far it has come. */
export function PlanCard({ chat, planId }: { chat: ChatView; planId: string }) {
  const plan = chat.plans.find(({ id }) => id === planId)
  const [editing, setEditing] = useState(false)
  const [comparing, setComparing] = useState(false)
  if (!plan) return null
  const previous = chat.plans.find(({ id }) => id === plan.previous_id && plan.status === 'draft')
  const { content } = plan
  return (
    <section aria-label={`Plan, version ${plan.version}`} className="overflow-hidden rounded-xl border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-2 border-b border-line bg-raised px-4 py-2.5">
        <ListChecks size={16} aria-hidden />
        <h2 className="font-semibold">Plan</h2>
        <Badge>version {plan.version}</Badge>
        <Badge tone={tones[plan.status]}>{plan.status}</Badge>
        <span className="ml-auto text-xs text-soft">
          <Moment at={plan.created_at} />
        </span>
        {previous && (
          <Button small look="ghost" aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
            {comparing ? 'Show the plan' : `What changed since version ${previous.version}`}
          </Button>
        )}
      </header>
      <div className="flex flex-col gap-4 p-4">
        {editing ? (
          <PlanEditor chat={chat} plan={plan} onDone={() => setEditing(false)} />
        ) : comparing && previous ? (
          <PlanChanges before={previous} after={plan} />
        ) : (
          <PlanBody chat={chat} plan={plan} />
        )}
        {!editing && <PlanActions chat={chat} plan={plan} onEdit={() => setEditing(true)} />}
      </div>
      {content.estimated_total_time !== '' && (
        <p className="border-t border-line px-4 py-2 text-xs text-soft">Estimated: {content.estimated_total_time}</p>
      )}
    </section>
  )
}

function PlanBody({ chat, plan }: { chat: ChatView; plan: Plan }) {
  const { content } = plan
  const acting = plan.status === 'approved' || plan.status === 'executed'
  const statusOf = (step: PlanStep) => chat.step_progress.find(({ step_number }) => step_number === step.step_number)?.status ?? 'pending'
  const done = content.steps.filter((step) => statusOf(step) === 'done').length
  return (
    <>
      <p className="font-medium">{content.goal}</p>
      {acting && <ProgressBar done={done} of={content.steps.length} label={`${done} of ${content.steps.length} steps done`} />}
      <ol className="flex flex-col gap-3">
        {content.steps.map((step) => (
          <Step key={step.step_number} step={step} role={chat.agent_role} status={acting ? statusOf(step) : null} />
        ))}
      </ol>
      <Notes title="Prerequisites" items={content.prerequisites} />
      <Notes title="Risks" items={content.risks} />
    </>
  )
}

const marks = {
  pending: <CircleDashed size={16} className="text-soft" aria-label="pending" />,
  active: <LoaderCircle size={16} className="animate-spin text-accent" aria-label="active" />,
  done: <Check size={16} className="text-good" aria-label="done" />,
  deviated: <Split size={16} className="text-warn" aria-label="deviated" />,
} as const

function Step({ step, role, status }: { step: PlanStep; role: string; status: keyof typeof marks | null }) {
  const held = useRoles().get(role)
  return (
    <li className="flex gap-3">
      <span className="mt-0.5 grid size-6 shrink-0 place-items-center rounded-full bg-accent-wash text-xs font-semibold text-accent">
        {status === null ? step.step_number : marks[status]}
      </span>
      <div className="min-w-0 flex-1">
        <p>{step.action}</p>
        {step.reason !== '' && <p className="text-sm text-soft">{step.reason}</p>}
        <p className="mt-1 flex flex-wrap items-center gap-1">
          {step.tools_needed.map((tool) => {
            const lacking = held !== undefined && !mayUse(held, tool)
            return (
              <Badge
                key={tool}
                tone={lacking ? 'warn' : 'neutral'}
                title={lacking ? 'The current role may not use this tool' : 'The current role may use this tool'}
              >
                {tool}
                {lacking ? ' · not in this role' : ''}
              </Badge>
            )
          })}
          {step.estimated_time !== '' && <span className="text-xs text-soft">{step.estimated_time}</span>}
        </p>
      </div>
    </li>
  )
}

function mayUse(role: RoleView, tool: string): boolean {
  const permission = workKinds[tool]
  return permission === undefined ? role.tools.includes(tool) : role.permissions[`can_${permission}`]
}

function Notes({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <h3 className="text-xs font-semibold text-soft">{title}</h3>
      <ul className="list-disc pl-5 text-sm">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}

function PlanActions({ chat, plan, onEdit }: { chat: ChatView; plan: Plan; onEdit: () => void }) {
  const execute = useChange('executePlan')
  if (plan.status !== 'draft') return null
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          icon={<Zap size={16} aria-hidden />}
          disabled={execute.isPending || chat.running}
          onClick={() => execute.mutate({ params: { id: chat.id, plan_id: plan.id }, body: { hash: plan.hash } })}
        >
          Execute Plan
        </Button>
        <Button icon={<Pencil size={14} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
        <p className="self-center text-xs text-soft">
          Execute approves this version, switches to Actor and starts. To change it, edit it or answer below.
        </p>
      </div>
      {execute.isError && <ErrorNote error={execute.error} />}
    </div>
  )
}
