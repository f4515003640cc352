import { Settings2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { BoardView } from '../../src/api/contract/board.ts'
import { useChange } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DialogEnd } from '../ui/dialog-end.tsx'
import { TextField } from '../ui/field.tsx'

/** Whether what is merged is tested, and the way to the settings of a board. */
export function BoardSettings({ board }: { board: BoardView }) {
  const [open, setOpen] = useState(false)
  const { integration_test } = board.config
  return (
    <>
      <Button look="ghost" small className="-mx-2" icon={<Settings2 size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {integration_test === null ? 'Merged without a test' : 'Tested before it is merged'}
      </Button>
      {open && <SettingsDialog board={board} onClose={() => setOpen(false)} />}
    </>
  )
}

function SettingsDialog({ board, onClose }: { board: BoardView; onClose: () => void }) {
  const configure = useChange('configureBoard')
  const { integration_test, max_coder_iterations, max_review_cycles } = board.config
  const [check, setCheck] = useState(integration_test ?? '')
  const [iterations, setIterations] = useState(String(max_coder_iterations))
  const [cycles, setCycles] = useState(String(max_review_cycles))
  function save(event: FormEvent) {
    event.preventDefault()
    const limits = { max_coder_iterations: Number(iterations), max_review_cycles: Number(cycles) }
    const body = { integration_test: check.trim() === '' ? null : check.trim(), ...limits }
    configure.mutate({ params: { id: board.id }, body }, { onSuccess: onClose })
  }
  return (
    <Dialog onClose={onClose} title="Settings of this board" about="They hold from the next step on, also for a team that is at work.">
      <form onSubmit={save} className="flex flex-col gap-4">
        <IntegrationTest value={check} onValue={setCheck} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Limit label="Iterations of a task at most" value={iterations} onValue={setIterations} />
          <Limit label="Rejections in a row at most" value={cycles} onValue={setCycles} />
        </div>
        <DialogEnd change={configure} act="Save" onClose={onClose} />
      </form>
    </Dialog>
  )
}

function Limit({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  return (
    <TextField label={label} type="number" min="1" max="100" required value={value} onChange={(event) => onValue(event.target.value)} />
  )
}

/** The command that stands between an approval and the integration branch. */
export function IntegrationTest({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  return (
    <TextField
      label="Integration test"
      hint="A command that must succeed on every merge result before the branch moves. It runs in a fresh checkout, with the node_modules of yours to read; anything else it needs it has to bring."
      value={value}
      onChange={(event) => onValue(event.target.value)}
      placeholder="npm test"
      spellCheck={false}
    />
  )
}
