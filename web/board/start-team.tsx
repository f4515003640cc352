import { useState, type FormEvent } from 'react'
import type { BoardView } from '../../src/api/contract/board.ts'
import { useChange } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogEnd } from '../ui/dialog-end.tsx'
import { CheckField, TextField } from '../ui/field.tsx'

/** Asks how large a team is to be and what it may spend, and puts it to work. */
export function StartTeam({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const start = useChange('startTeam')
  const [planner, setPlanner] = useState(true)
  const [coders, setCoders] = useState('1')
  const [reviewers, setReviewers] = useState('1')
  const [budget, setBudget] = useState('')
  function put(event: FormEvent) {
    event.preventDefault()
    const size = { planner, coders: Number(coders), reviewers: Number(reviewers) }
    const body = budget === '' ? size : { ...size, budget_usd: Number(budget) }
    // Not by `onSuccess`: with a team at work this dialog is gone before it would be called, and would be open the next time.
    start.mutateAsync({ params: { id: board.id }, body }).then(onClose, () => undefined)
  }
  return (
    <Dialog
      onClose={onClose}
      title="Start a team"
      about="It works in this Troupe until the goal is reached, you stop it, or Troupe ends. Whatever it does stays on the board, and a new team goes on from there."
    >
      <form onSubmit={put} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-3">
          <Many label="Coders" value={coders} onValue={setCoders} />
          <Many label="Code reviewers" value={reviewers} onValue={setReviewers} />
          <TextField
            label="Spend at most ($)"
            type="number"
            min="0.01"
            step="0.01"
            placeholder="no limit"
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        </div>
        <CheckField
          label="A planner, who cuts the goal into tasks and mends the plan"
          checked={planner}
          onChange={(event) => setPlanner(event.target.checked)}
        />
        <DialogEnd change={start} act="Start" onClose={onClose} />
      </form>
    </Dialog>
  )
}

function Many({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  return <TextField label={label} type="number" min="0" max="20" required value={value} onChange={(event) => onValue(event.target.value)} />
}
