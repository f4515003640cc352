import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import type { BoardView } from './views.ts'
import { usePerform } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

const limit = { type: 'number', min: 1, max: 100, required: true } as const

/** Whether what is merged is tested, and the way to the settings of a board. */
export function BoardSettings({ board }: { board: BoardView }) {
  const [open, setOpen] = useState(false)
  const { integration_test } = board.config
  return (
    <>
      <Button look="ghost" small className="-mx-2" icon={Settings2} onClick={() => setOpen(true)}>
        {integration_test === null ? 'No merge check set' : 'Tested before it is merged'}
      </Button>
      {open && <SettingsDialog board={board} onClose={() => setOpen(false)} />}
    </>
  )
}

function SettingsDialog({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const configure = usePerform('board.configure')
  const { integration_test, max_coder_iterations, max_review_cycles } = board.config
  const [check, setCheck] = useState(integration_test ?? '')
  const [iterations, setIterations] = useState(String(max_coder_iterations))
  const [cycles, setCycles] = useState(String(max_review_cycles))
  function save() {
    const limits = { max_coder_iterations: Number(iterations), max_review_cycles: Number(cycles) }
    const settings = { integration_test: check.trim() === '' ? null : check.trim(), ...limits }
    configure.mutate({ board: board.id, ...settings }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Settings of this board"
      about="They hold from the next step on, also for a team that is at work."
      act="Save"
      change={configure}
      onSubmit={save}
      onClose={onClose}
    >
      <IntegrationTest value={check} onText={setCheck} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...limit} label="Iterations of a task at most" value={iterations} onText={setIterations} />
        <TextField {...limit} label="Rejections in a row at most" value={cycles} onText={setCycles} />
      </div>
    </FormDialog>
  )
}

/** The command that stands between an approval and the integration branch. */
export function IntegrationTest({ value, onText }: { value: string; onText: (value: string) => void }) {
  return (
    <TextField
      label="Integration test"
      hint="A command that must succeed on every merge result before the branch moves. It runs in a fresh checkout, with the node_modules of yours to read; anything else it needs it has to bring."
      value={value}
      onText={onText}
      placeholder="npm test"
      spellCheck={false}
    />
  )
}
