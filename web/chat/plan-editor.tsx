import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import type { Plan, PlanContent, PlanStep } from '../../src/domain/plan.ts'
import { splitList } from '../../src/domain/text/typed.ts'
import { usePerform } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { TextArea, TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'

const emptyStep: PlanStep = { step_number: 0, action: '', reason: '', tools_needed: [], estimated_time: '' }

/** Changing a plan before it is approved; saving makes a new version. */
export function PlanEditor({ chat, plan, onDone }: { chat: ChatView; plan: Plan; onDone: () => void }) {
  const [content, setContent] = useState<PlanContent>(plan.content)
  const edit = usePerform('chat.edit_plan')
  const { steps } = content
  const change = (part: Partial<PlanContent>) => setContent({ ...content, ...part })
  const setSteps = (changed: PlanStep[]) => change({ steps: changed.map((step, index) => ({ ...step, step_number: index + 1 })) })
  const save = () => edit.mutate({ chat: chat.id, plan: plan.id, ...content }, { onSuccess: onDone })
  return (
    <Form onSubmit={save} className="flex flex-col gap-3">
      <TextField label="Goal" required value={content.goal} onText={(text) => change({ goal: text })} />
      {steps.map((step, index) => (
        <StepFields
          key={index}
          step={step}
          onChange={(changed) => setSteps(steps.with(index, changed))}
          onRemove={steps.length === 1 ? null : () => setSteps(steps.toSpliced(index, 1))}
        />
      ))}
      <Button small className="self-start" icon={Plus} onClick={() => setSteps([...steps, emptyStep])}>
        Add a step
      </Button>
      <TextArea
        label="Risks, one per line"
        rows={2}
        defaultValue={content.risks.join('\n')}
        onText={(text) => change({ risks: splitList(text) })}
      />
      <TextArea
        label="Prerequisites, one per line"
        rows={2}
        defaultValue={content.prerequisites.join('\n')}
        onText={(text) => change({ prerequisites: splitList(text) })}
      />
      {edit.isError && <ErrorNote error={edit.error} />}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={edit.isPending}>
          Save as version {plan.version + 1}
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  )
}

function StepFields({ step, onChange, onRemove }: { step: PlanStep; onChange: (step: PlanStep) => void; onRemove: (() => void) | null }) {
  return (
    <fieldset className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <legend className="px-1 text-xs font-semibold text-soft">Step {step.step_number}</legend>
      <TextArea label="What is done" required rows={2} value={step.action} onText={(text) => onChange({ ...step, action: text })} />
      <TextField label="Why" value={step.reason} onText={(text) => onChange({ ...step, reason: text })} />
      <TextField
        label="Tools, separated by commas"
        defaultValue={step.tools_needed.join(', ')}
        onText={(text) => onChange({ ...step, tools_needed: splitList(text, ',') })}
      />
      {onRemove !== null && (
        <Button small look="ghost" className="self-start" icon={Trash2} onClick={onRemove}>
          Remove step {step.step_number}
        </Button>
      )}
    </fieldset>
  )
}
