import { useState } from 'react'
import { useLocation } from 'wouter'
import { usePerform } from '../api.ts'
import { TextField } from '../ui/form/field.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

/** Makes a workflow file in the project, as a first draft or as a copy, and opens it. */
export function NewWorkflow({ onClose, from }: { onClose: () => void; from: string | null }) {
  const [, go] = useLocation()
  const [id, setId] = useState(from === null ? '' : `my-${from}`)
  const create = usePerform('workflow.create')

  async function make() {
    const made = await create.mutateAsync({ id, ...(from !== null && { from }) }).catch(() => null)
    if (made !== null) go(`/workflows/edit?file=${made.name}`)
  }
  return (
    <FormDialog
      title={from === null ? 'New workflow' : 'Copy this workflow'}
      about={
        from === null
          ? 'A first draft is written to .troupe/workflows of this project.'
          : 'The copy is a file of your own in .troupe/workflows; what ships with Troupe stays as it is.'
      }
      act="Create and edit"
      change={create}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <TextField
        label="Id"
        hint="3 to 64 lower-case letters, digits and hyphens"
        required
        autoFocus
        pattern="[a-z0-9\-]{3,64}"
        value={id}
        onText={setId}
        spellCheck={false}
      />
    </FormDialog>
  )
}
