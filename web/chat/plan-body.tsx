import { Check, CircleDashed, Clock, LoaderCircle, Lock, Split, TriangleAlert } from 'lucide-react'
import type { ChatView } from './chat-view.ts'
import type { RoleView } from '../roles/role-view.ts'
import type { Plan, PlanStep } from '../../src/domain/plan.ts'
import { workKinds } from '../../src/domain/workflow/work-kinds.ts'
import { useRoles } from '../roles/role-badge.tsx'
import { Badge } from '../ui/status/badge.tsx'
import { Bullets } from '../ui/text/bullets.tsx'
import { ProgressBar } from '../ui/text/figures.tsx'

/** What a plan says; while it is carried out, also how far each step has come. */
export function PlanBody({ chat, plan }: { chat: ChatView; plan: Plan }) {
  const { content } = plan
  const role = useRoles().get(chat.agent_role)
  const acting = plan.status === 'approved' || plan.status === 'executed'
  const statusOf = (step: PlanStep) => chat.step_progress.find(({ step_number }) => step_number === step.step_number)?.status ?? 'pending'
  const done = content.steps.filter((step) => statusOf(step) === 'done').length
  return (
    <>
      <p className="text-base leading-snug font-semibold">{content.goal}</p>
      {acting && <ProgressBar done={done} of={content.steps.length} label={`${done} of ${content.steps.length} steps done`} />}
      <ol className="flex flex-col gap-3">
        {content.steps.map((step) => (
          <Step key={step.step_number} step={step} role={role} status={acting ? statusOf(step) : null} />
        ))}
      </ol>
      <Notes title="Prerequisites" items={content.prerequisites} />
      <Notes title="Risks" items={content.risks} warns />
      {content.estimated_total_time !== '' && (
        <p className="flex items-center gap-1.5 text-xs text-soft">
          <Clock size={14} aria-hidden />
          {content.estimated_total_time} in all
        </p>
      )}
    </>
  )
}

const marks = {
  pending: <CircleDashed size={16} className="text-soft" aria-label="pending" />,
  active: <LoaderCircle size={16} className="animate-spin text-accent" aria-label="active" />,
  done: <Check size={16} className="text-good" aria-label="done" />,
  deviated: <Split size={16} className="text-warn" aria-label="deviated" />,
  unconfirmed: (
    <span title="Reported as done, but the last call of this step failed">
      <TriangleAlert size={16} className="text-warn" aria-label="unconfirmed: its last call failed" />
    </span>
  ),
} as const

function Step({ step, role, status }: { step: PlanStep; role: RoleView | undefined; status: keyof typeof marks | null }) {
  return (
    <li className="flex gap-3">
      <span className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-wash text-xs font-semibold text-accent">
        {status === null ? step.step_number : marks[status]}
      </span>
      <div className="min-w-0 flex-1">
        <p>{step.action}</p>
        {step.reason !== '' && <p className="text-sm text-soft">{step.reason}</p>}
        {(step.tools_needed.length > 0 || step.estimated_time !== '') && (
          <p className="mt-1 flex flex-wrap items-center gap-1">
            {step.tools_needed.map((tool) => (
              <ToolChip key={tool} tool={tool} lacking={role !== undefined && lacks(role, tool)} />
            ))}
            {step.estimated_time !== '' && <span className="min-w-0 px-1 text-xs text-soft">{step.estimated_time}</span>}
          </p>
        )}
      </div>
    </li>
  )
}

function ToolChip({ tool, lacking }: { tool: string; lacking: boolean }) {
  if (!lacking) return <Badge title="The current role may do this">{tool}</Badge>
  return (
    <Badge tone="warn" title="The current role may not do this">
      <Lock size={10} aria-label="not in this role:" />
      {tool}
    </Badge>
  )
}

/** Whether a role cannot do what a step needs, be it named as a kind of work or as a tool. */
function lacks(role: RoleView, tool: string): boolean {
  const permission = workKinds[tool.toLowerCase()]
  return permission === undefined ? !role.tools.includes(tool) : !role.permissions[`can_${permission}`]
}

function Notes({ title, items, warns = false }: { title: string; items: readonly string[]; warns?: boolean }) {
  if (items.length === 0) return null
  return (
    <div className={`text-sm ${warns ? 'rounded-lg bg-warn-wash px-3 py-2' : ''}`}>
      <h3 className={`flex items-center gap-1.5 text-xs font-semibold ${warns ? 'text-warn' : 'text-soft'}`}>
        {warns && <TriangleAlert size={14} aria-hidden />}
        {title}
      </h3>
      <Bullets lines={items} />
    </div>
  )
}
