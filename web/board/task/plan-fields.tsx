import { SelectField, TextArea, TextField } from '../../ui/form/field.tsx'
import type { FieldFaults, PlanDraft } from './plan-draft.ts'

const kinds = [
  { value: 'code', label: 'code, with its tests' },
  { value: 'doc', label: 'documentation' },
  { value: 'config', label: 'configuration' },
  { value: 'spec', label: 'a spec' },
] as const
const priorities = ['1', '2', '3', '4', '5'].map((value) => ({ value, label: value === '1' ? '1, first' : value }))

interface PlanFieldsProps {
  plan: PlanDraft
  faults: FieldFaults
  onChange: (changed: Partial<PlanDraft>) => void
  /** A task that is there already keeps its id. */
  named?: boolean
  idHint?: string
}

/** What the planner states about a task, with every gate that refuses it told at its field. */
export function PlanFields({ plan, faults, onChange, named = false, idHint = 'Left empty, it is task-N' }: PlanFieldsProps) {
  const text = (field: 'id' | 'description' | 'spec_ref' | 'done_when' | 'scope' | 'depends_on') => ({
    value: plan[field],
    fault: faults[field],
    onText: (said: string) => onChange({ [field]: said }),
  })
  return (
    <div className="flex flex-col gap-3">
      <TextArea label="What is to be done" rows={2} placeholder="Page GET /users by 50, with tests" {...text('description')} />
      <TextArea
        label="Done when"
        rows={2}
        placeholder="GET /users returns 50 items and a cursor"
        hint="Something that can be observed, and could turn out to be false."
        {...text('done_when')}
      />
      <TextArea label="Scope" rows={2} placeholder="IN: paging of GET /users. OUT: other lists, sorting" {...text('scope')} />
      <TextField label="Spec" placeholder="specs/paging.md#users" spellCheck={false} {...text('spec_ref')} />
      <TextField
        label="Depends on"
        placeholder="cursor, users"
        hint="Ids of tasks that have to be merged first."
        spellCheck={false}
        {...text('depends_on')}
      />
      <div className="grid gap-3 sm:grid-cols-[1fr_1fr_7rem]">
        {!named && <TextField label="Id" placeholder="users" hint={idHint} spellCheck={false} {...text('id')} />}
        <SelectField
          label="Makes"
          value={plan.kind}
          options={kinds}
          onText={(said) => onChange({ kind: kinds.find(({ value }) => value === said)?.value ?? 'code' })}
        />
        <SelectField
          label="Priority"
          value={String(plan.priority)}
          options={priorities}
          onText={(said) => onChange({ priority: Number(said) })}
        />
      </div>
    </div>
  )
}
