import { useState } from 'react'
import type { TaskView } from './task-view.ts'
import { usePerform } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CheckField, TextField } from '../../ui/form/field.tsx'
import { ErrorNote } from '../../ui/status/notice.tsx'
import { draftOf, emptyPlan, faultsOf, planOf, type FieldFaults, type PlanDraft } from './plan-draft.ts'
import { PlanFields } from './plan-fields.tsx'

interface TaskFormProps {
  boardId: string
  /** The draft to reword; left out, a new task is made. */
  draft?: TaskView['task']
  /** Why it was just refused. */
  refusal?: unknown
  onClose: () => void
}

/** Writes a task and, if wished, lets it leave DRAFT; a gate that refuses it says so at its field, and what was written stays a draft. */
export function TaskForm({ boardId, draft, refusal = null, onClose }: TaskFormProps) {
  const { plan, change, error, faults, setError } = usePlan(draft === undefined ? emptyPlan : draftOf(draft), refusal)
  const [known, setKnown] = useState(draft?.id ?? null)
  const [stretch, setStretch] = useState(false)
  const [skip, setSkip] = useState(false)
  const [override, setOverride] = useState('')
  const { save, finalize, sending } = useSaving(boardId)
  async function keep(whole: boolean) {
    try {
      const id = await save(known, plan, stretch)
      setKnown(id)
      if (whole) await finalize(id, skip, override)
      onClose()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog
      onClose={onClose}
      title={known === null ? 'Add a task' : `Draft ${known}`}
      about="A task leaves DRAFT when it passes every gate. Until then it may be half said, and nobody can claim it."
      actions={<Choices disabled={sending || plan.description.trim() === ''} onClose={onClose} onKeep={(whole) => void keep(whole)} />}
    >
      <PlanFields plan={plan} faults={faults} onChange={change} named={known !== null} />
      {known === null && <CheckField label="Stretch: beyond the plan of the sprint" checked={stretch} onTick={setStretch} />}
      {(faults.spec_ref !== undefined || skip) && (
        <CheckField label="The spec file need not exist; this is logged" checked={skip} onTick={setSkip} />
      )}
      {(judged(plan, faults) || override !== '') && (
        <TextField
          label="Override the gate, because"
          hint="The task passes although the gate refuses what is written. Your reason is logged."
          value={override}
          onText={setOverride}
        />
      )}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  )
}

/** Whether a gate refuses words that are there; a person may let those pass, but not a field that says nothing. */
function judged(plan: PlanDraft, faults: FieldFaults): boolean {
  return (['done_when', 'description'] as const).some((field) => faults[field] !== undefined && plan[field].trim() !== '')
}

function Choices({ disabled, onClose, onKeep }: { disabled: boolean; onClose: () => void; onKeep: (whole: boolean) => void }) {
  return (
    <>
      <Button onClick={onClose}>Back</Button>
      <Button disabled={disabled} onClick={() => onKeep(false)}>
        Keep as draft
      </Button>
      <Button look="primary" disabled={disabled} onClick={() => onKeep(true)}>
        Finalize
      </Button>
    </>
  )
}

/** A plan in a form. What was refused at a field is taken back as soon as that field says something else. */
function usePlan(start: PlanDraft, refusal: unknown) {
  const [plan, setPlan] = useState(start)
  const [refused, setRefused] = useState<{ error: unknown; faults: FieldFaults }>(() => told(refusal, start))
  return {
    plan,
    faults: refused.faults,
    error: refused.error,
    change: (changed: Partial<PlanDraft>) => {
      const kept = Object.entries(refused.faults).filter(([field]) => !(field in changed))
      setPlan({ ...plan, ...changed })
      setRefused({ error: null, faults: Object.fromEntries(kept) })
    },
    setError: (error: unknown) => setRefused(told(error, plan)),
  }
}

/** What no field can tell is told at the foot. */
function told(error: unknown, { depends_on }: PlanDraft): { error: unknown; faults: FieldFaults } {
  const faults = faultsOf(error, depends_on)
  return faults === null ? { error, faults: {} } : { error: null, faults }
}

/** The calls behind the form: a new task is added once, and reworded after that. */
function useSaving(boardId: string) {
  const add = usePerform('board.add_task')
  const edit = usePerform('board.edit_task')
  const finalizing = usePerform('board.finalize_task')
  async function save(known: string | null, plan: PlanDraft, stretch: boolean): Promise<string> {
    const said = planOf(plan)
    if (known !== null) return (await edit.mutateAsync({ board: boardId, task: known, ...said })).id
    const named = plan.id.trim() === '' ? {} : { id: plan.id.trim() }
    const sprint = stretch ? 'stretch' : 'planned'
    return (await add.mutateAsync({ board: boardId, ...said, ...named, sprint })).id
  }
  async function finalize(task: string, skip_spec_file_check: boolean, override: string): Promise<void> {
    const overriding = override.trim() === '' ? {} : { override }
    await finalizing.mutateAsync({ board: boardId, task, skip_spec_file_check, ...overriding })
  }
  return { save, finalize, sending: add.isPending || edit.isPending || finalizing.isPending }
}
