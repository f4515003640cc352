import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { TaskView } from './task-view.ts'
import { Refusal, usePerform } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { ErrorNote } from '../../ui/status/notice.tsx'
import { draftOf, faultsOf, planOf, type FieldFaults, type PlanDraft } from './plan-draft.ts'
import { PlanFields } from './plan-fields.tsx'

const MOST = 20

/** Replaces a task: one replacement rewords it, several split it. Each passes every gate, or nothing happens. */
export function SupersedeForm({ boardId, task, onClose }: { boardId: string; task: TaskView['task']; onClose: () => void }) {
  const supersede = usePerform('board.supersede_task')
  const [reason, setReason] = useState('')
  const [root_cause, setRootCause] = useState('')
  const [plans, setPlans] = useState<readonly PlanDraft[]>(() => [draftOf(task, nextId(task.id, 1))])
  const silent = reason.trim() === '' || root_cause.trim() === ''
  function replace() {
    const replacements = plans.map((plan) => ({ ...planOf(plan), id: plan.id.trim() }))
    supersede.mutate({ board: boardId, task: task.id, reason, root_cause, replacements }, { onSuccess: onClose })
  }
  return (
    <Dialog
      onClose={onClose}
      title={`Replace ${task.id}`}
      about="The original, your reason and the root cause stay on record, and its work is kept. Whatever waits for it will wait for its replacements."
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button look="primary" disabled={silent || supersede.isPending} onClick={replace}>
            {plans.length === 1 ? 'Replace' : `Split into ${plans.length}`}
          </Button>
        </>
      }
    >
      <TextArea label="Why it does not stay as it is" rows={2} value={reason} onText={setReason} />
      <TextArea label="Root cause: what failed, and why" rows={2} value={root_cause} onText={setRootCause} />
      <Replacements task={task} plans={plans} error={supersede.error} onChange={setPlans} />
    </Dialog>
  )
}

interface ReplacementsProps {
  task: TaskView['task']
  plans: readonly PlanDraft[]
  error: unknown
  onChange: (plans: readonly PlanDraft[]) => void
}

function Replacements({ task, plans, error, onChange }: ReplacementsProps) {
  const refused = plans.map((plan, at) => faultsAt(error, plan, at))
  const more = () => onChange([...plans, draftOf(task, nextId(task.id, plans.length + 1))])
  return (
    <>
      {plans.map((plan, at) => (
        <Replacement
          key={at}
          number={at + 1}
          plan={plan}
          faults={refused[at] ?? {}}
          onChange={(changed) => onChange(plans.map((other, place) => (place === at ? { ...other, ...changed } : other)))}
          onRemove={plans.length === 1 ? undefined : () => onChange(plans.toSpliced(at, 1))}
        />
      ))}
      {plans.length < MOST && (
        <Button className="self-start" small icon={Plus} onClick={more}>
          Split off another task
        </Button>
      )}
      {error !== null && refused.every((faults) => faults === null) && <ErrorNote error={error} />}
    </>
  )
}

interface ReplacementProps {
  number: number
  plan: PlanDraft
  faults: FieldFaults
  onChange: (changed: Partial<PlanDraft>) => void
  onRemove: (() => void) | undefined
}

function Replacement({ number, plan, faults, onChange, onRemove }: ReplacementProps) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-sm font-semibold">Replacement {number}</legend>
      <PlanFields plan={plan} faults={faults} onChange={onChange} idHint="Small letters, digits and -" />
      {onRemove !== undefined && (
        <Button className="self-start" small look="ghost" icon={Trash2} onClick={onRemove}>
          Leave this one out
        </Button>
      )}
    </fieldset>
  )
}

/** What was refused about one of several: gates name the task, the schema names its place in the list. */
function faultsAt(error: unknown, plan: PlanDraft, at: number): FieldFaults | null {
  if (!(error instanceof Refusal)) return null
  const { faults, issues, task } = error.details
  if (Array.isArray(faults)) return task === plan.id.trim() ? faultsOf(error) : null
  if (!Array.isArray(issues)) return faultsOf(error, plan.depends_on)
  const here = issues.filter(({ path }: { path: string }) => path.startsWith(`replacements.${at}.`))
  return here.length === 0 ? null : faultsOf(new Refusal(error.code, error.message, { issues: here }))
}

function nextId(id: string, number: number): string {
  return `${id.slice(0, 60)}-${number + 1}`
}
