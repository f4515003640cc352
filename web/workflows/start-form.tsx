import { Play } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { WorkflowOutline } from '../../src/domain/workflow/view.ts'
import { usePerform, useRead } from '../api.ts'
import { RoleNote, RoleSelect, useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { contextFrom, variablesIn } from './variables.ts'

interface Choice {
  folder: string
  role: string
  model: string
}

/** Has a workflow played: in which folder, as whom, by which model. */
export function StartForm({ workflow }: { workflow: WorkflowOutline }) {
  const [, go] = useLocation()
  const here = useRead('system.status', {}).data?.workspace ?? ''
  const start = usePerform('workflow.play')
  const [choice, setChoice] = useState<Partial<Choice>>({})
  const [typed, setTyped] = useState<Record<string, string>>({})
  const chosen = { folder: here, role: 'actor', model: '', ...choice }
  const role = useRoles().get(chosen.role)

  async function play() {
    const model = chosen.model.trim()
    const body = { workspace: chosen.folder, agent_role: chosen.role, context: contextFrom(typed), ...(model !== '' && { model }) }
    const started = await start.mutateAsync({ workflowId: workflow.id, ...body }).catch(() => null)
    if (started !== null) go(`/workflows/runs/${started.run}`)
  }
  return (
    <Form aria-label="Play this workflow" onSubmit={() => void play()}>
      <Fields choice={chosen} onChoice={(change) => setChoice((before) => ({ ...before, ...change }))} />
      <Variables
        names={variablesIn(workflow.steps)}
        typed={typed}
        onTyped={(name, text) => setTyped((before) => ({ ...before, [name]: text }))}
      />
      {role && <RoleNote role={role}>A step with its own role acts in that role, never with more rights than this one.</RoleNote>}
      {start.isError && <ErrorNote error={start.error} />}
      <Button className="self-start" type="submit" look="primary" disabled={start.isPending || chosen.folder === ''} icon={Play}>
        Play
      </Button>
    </Form>
  )
}

function Fields({ choice, onChoice }: { choice: Choice; onChoice: (change: Partial<Choice>) => void }) {
  const model = useRead('system.status', {}).data?.model ?? 'as configured'
  return (
    <div className="grid gap-4 sm:grid-cols-[2fr_1fr_1fr]">
      <TextField
        label="Folder to work in"
        required
        spellCheck={false}
        value={choice.folder}
        onText={(text) => onChoice({ folder: text })}
      />
      <RoleSelect label="Play as" value={choice.role} onText={(text) => onChoice({ role: text })} />
      <TextField label="Model" placeholder={model} spellCheck={false} value={choice.model} onText={(text) => onChoice({ model: text })} />
    </div>
  )
}

interface VariablesProps {
  names: readonly string[]
  typed: Readonly<Record<string, string>>
  onTyped: (name: string, text: string) => void
}

/** What decides which steps are taken. Whoever knows it already can say so; the agent finds out the rest. */
function Variables({ names, typed, onTyped }: VariablesProps) {
  if (names.length === 0) return null
  return (
    <details className="rounded-lg border border-line px-3 py-2 text-sm">
      <summary className="cursor-pointer font-medium">Known facts (optional): {names.join(', ')}</summary>
      <p className="mt-2 text-soft">
        These decide which steps are taken and how often. Leave unknown ones empty: the agent finds them out or asks.
      </p>
      <div className="mt-2 grid gap-3 sm:grid-cols-3">
        {names.map((name) => (
          <TextField
            key={name}
            label={name}
            spellCheck={false}
            placeholder='large, 3, true or ["a", "b"]'
            value={typed[name] ?? ''}
            onText={(text) => onTyped(name, text)}
          />
        ))}
      </div>
    </details>
  )
}
