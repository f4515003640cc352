import { useState } from 'react'
import type { BoardView } from '../views.ts'
import { usePerform } from '../../api.ts'
import { CheckField, TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'

const many = { type: 'number', min: 0, max: 20, required: true } as const

/** Asks how large a team is to be and what it may spend, and puts it to work. */
export function StartTeam({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const start = usePerform('board.start_team')
  const [planner, setPlanner] = useState(true)
  const [coders, setCoders] = useState('1')
  const [reviewers, setReviewers] = useState('1')
  const [budget, setBudget] = useState('')
  function put() {
    const size = { planner, coders: Number(coders), reviewers: Number(reviewers) }
    const input = { board: board.id, ...size, ...(budget !== '' && { team_budget_usd: Number(budget) }) }
    // Not by `onSuccess`: with a team at work this dialog is gone before it would be called, and would be open the next time.
    start.mutateAsync(input).then(onClose, () => undefined)
  }
  return (
    <FormDialog
      title="Start a team"
      about="It works in this Troupe until the goal is reached, you stop it, or Troupe ends. Whatever it does stays on the board, and a new team goes on from there."
      act="Start"
      change={start}
      onSubmit={put}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...many} label="Coders" value={coders} onText={setCoders} />
        <TextField {...many} label="Code reviewers" value={reviewers} onText={setReviewers} />
        <TextField
          label="Spend at most ($)"
          type="number"
          min="0.01"
          step="0.01"
          placeholder="no limit"
          value={budget}
          onText={setBudget}
        />
      </div>
      <CheckField label="A planner, who cuts the goal into tasks and mends the plan" checked={planner} onTick={setPlanner} />
    </FormDialog>
  )
}
