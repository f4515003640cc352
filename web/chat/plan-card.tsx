import { ListChecks, Pencil, Zap } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import type { Plan } from '../../src/domain/plan.ts'
import { usePerform } from '../api.ts'
import { Badge, type Tone } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { PlanBody } from './plan-body.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { diffArrays } from 'diff'

const tones: Record<Plan['status'], Tone> = { draft: 'accent', approved: 'good', executed: 'good', superseded: 'neutral' }

/** A plan to read, change and execute; once it is executed, the same card shows how far it has come. A version that was replaced is one line. */
export function PlanCard({ chat, planId }: { chat: ChatView; planId: string }) {
  const plan = chat.plans.find(({ id }) => id === planId)
  if (!plan) return null
  if (plan.status === 'superseded') return <OldPlan chat={chat} plan={plan} />
  return <OpenPlan key={plan.id} chat={chat} plan={plan} />
}

function OldPlan({ chat, plan }: { chat: ChatView; plan: Plan }) {
  return (
    <details aria-label={`Plan, version ${plan.version}`} className="rounded-xl border border-line bg-surface">
      <summary className="flex cursor-pointer items-center gap-2 px-4 py-2 text-sm text-soft">
        <ListChecks size={16} className="shrink-0" aria-hidden />
        <span className="min-w-0 flex-1 truncate">{plan.content.goal}</span>
        <Badge>version {plan.version}</Badge>
        <Badge>superseded</Badge>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-4">
        <PlanBody chat={chat} plan={plan} />
      </div>
    </details>
  )
}

type View = 'plan' | 'changes' | 'edit'

function OpenPlan({ chat, plan }: { chat: ChatView; plan: Plan }) {
  const [view, setView] = useState<View>('plan')
  const [version, setVersion] = useState(plan.version)
  const shown = chat.plans.find((each) => each.version === version) ?? plan
  const previous = chat.plans.find(({ id }) => id === shown.previous_id)
  const acting = plan.status !== 'draft'
  const comparing = view === 'changes' && previous !== undefined && !acting
  return (
    <section aria-label={`Plan, version ${plan.version}`} className="overflow-hidden rounded-xl border border-line bg-surface shadow-sm">
      <header className="flex flex-wrap items-center gap-2 border-b border-line bg-raised px-4 py-2">
        <ListChecks size={16} aria-hidden />
        <h2 className="font-semibold">Plan</h2>
        <Badge tone={tones[shown.status]}>{shown.status}</Badge>
        <Moment at={shown.created_at} className="text-xs text-soft" />
        <span className="ml-auto flex items-center gap-1">
          {previous && !acting && (
            <Button small look="ghost" aria-pressed={comparing} onClick={() => setView(comparing ? 'plan' : 'changes')}>
              {comparing ? 'Show the plan' : `What changed since version ${previous.version}`}
            </Button>
          )}
          <Versions plans={chat.plans.filter((each) => each.version <= plan.version)} shown={shown} onShow={setVersion} />
        </span>
      </header>
      <div className="flex flex-col gap-4 p-4">
        {view === 'edit' && <PlanEditor chat={chat} plan={plan} onDone={() => setView('plan')} />}
        {view !== 'edit' && comparing && <PlanChanges before={previous} after={shown} />}
        {view !== 'edit' && !comparing && <PlanBody chat={chat} plan={shown} />}
        {view !== 'edit' && shown.status === 'draft' && <PlanActions chat={chat} plan={shown} onEdit={() => setView('edit')} />}
      </div>
    </section>
  )
}

/** One version of several; the newest is shown until a person looks back. */
function Versions({ plans, shown, onShow }: { plans: readonly Plan[]; shown: Plan; onShow: (version: number) => void }) {
  if (plans.length === 1) return <Badge>version 1</Badge>
  return (
    <label className="flex items-center gap-1 text-xs text-soft">
      version
      <select
        value={shown.version}
        onChange={(event) => onShow(Number(event.target.value))}
        className="h-7 rounded-md border border-line bg-surface px-1 text-xs text-ink"
      >
        {plans.map(({ version }) => (
          <option key={version}>{version}</option>
        ))}
      </select>
    </label>
  )
}

function PlanActions({ chat, plan, onEdit }: { chat: ChatView; plan: Plan; onEdit: () => void }) {
  const execute = usePerform('chat.execute_plan')
  const others = chat.plans.filter(({ id, status }) => status === 'draft' && id !== plan.id).length
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          icon={Zap}
          disabled={execute.isPending || chat.running}
          onClick={() => execute.mutate({ chat: chat.id, plan: plan.id, hash: plan.hash })}
        >
          Execute Plan
        </Button>
        <Button icon={Pencil} onClick={onEdit} disabled={chat.running}>
          Edit
        </Button>
        <p className="min-w-48 flex-1 text-xs text-soft">
          Execute approves this version, switches to Actor and starts. To change it, edit it or say so below.
          {others > 0 && ` It sets the other ${others === 1 ? 'plan' : `${others} plans`} aside.`}
        </p>
      </div>
      {execute.isError && <ErrorNote error={execute.error} />}
    </div>
  )
}

const looks = { same: 'text-soft', added: 'bg-good-wash text-good', removed: 'bg-danger-wash text-danger line-through' } as const
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const
const signs = { same: '', added: '+', removed: '−' } as const

/** What a version changed against the one before it, line by line. */
function PlanChanges({ before, after }: { before: Plan; after: Plan }) {
  return (
    <ul aria-label={`Changes from version ${before.version} to ${after.version}`} className="flex flex-col gap-1 text-sm">
      {changes(before, after).map(({ kind, text }, index) => (
        <li key={index} className={`flex gap-2 rounded px-2 py-0.5 ${looks[kind]}`}>
          <span className="w-3 shrink-0 font-mono no-underline" aria-hidden>
            {signs[kind]}
          </span>
          <span className="min-w-0">
            <span className="sr-only">{words[kind]}</span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  )
}

function changes(before: Plan, after: Plan) {
  return diffArrays(lines(before), lines(after)).flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value.map((text) => ({ kind, text }) as const)
  })
}

function lines({ content }: Plan): string[] {
  return [
    `Goal: ${content.goal}`,
    ...content.steps.map(
      (step) =>
        `Step: ${step.action}${step.reason === '' ? '' : ` (${step.reason})`}${step.tools_needed.length === 0 ? '' : ` [${step.tools_needed.join(', ')}]`}`,
    ),
    ...content.prerequisites.map((text) => `Prerequisite: ${text}`),
    ...content.risks.map((text) => `Risk: ${text}`),
    ...(content.estimated_total_time === '' ? [] : [`Estimated: ${content.estimated_total_time}`]),
  ]
}
