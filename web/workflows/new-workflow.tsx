import { useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import { useChange } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogEnd } from '../ui/dialog-end.tsx'
import { TextField } from '../ui/field.tsx'

/** Makes a workflow file in the project, as a first draft or as a copy, and opens it. */
export function NewWorkflow({ onClose, from }: { onClose: () => void; from: string | null }) {
  const [, go] = useLocation()
  const [id, setId] = useState(from === null ? '' : `my-${from}`)
  const create = useChange('createWorkflow')

  async function make(event: FormEvent) {
    event.preventDefault()
    const made = await create.mutateAsync({ body: { id, ...(from !== null && { from }) } }).catch(() => null)
    if (made !== null) go(`/workflows/edit?file=${made.name}`)
  }
  return (
    <Dialog
      onClose={onClose}
      title={from === null ? 'New workflow' : 'Copy this workflow'}
      about={
        from === null
          ? 'A first draft is written to .troupe/workflows of this project.'
          : 'The copy is a file of your own in .troupe/workflows; what ships with Troupe stays as it is.'
      }
    >
      <form onSubmit={(event) => void make(event)} className="flex flex-col gap-3">
        <TextField
          label="Id"
          hint="3 to 64 lower-case letters, digits and hyphens"
          required
          autoFocus
          pattern="[a-z0-9\-]{3,64}"
          value={id}
          onChange={(event) => setId(event.target.value)}
          spellCheck={false}
        />
        <DialogEnd change={create} act="Create and edit" onClose={onClose} />
      </form>
    </Dialog>
  )
}
