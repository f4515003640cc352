import { Ban, CircleCheck, Hand, MessageSquarePlus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { TaskView } from '../../src/api/contract/board.ts'
import { useChange } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/field.tsx'
import { ErrorNote } from '../ui/notice.tsx'

type Act = 'note' | 'hold' | 'release' | 'abandon'

const asks: Record<Act, { title: string; about: string; label: string; act: string }> = {
  note: { title: 'Note for this task', about: 'Whoever works on it reads it in the next prompt.', label: 'Your note', act: 'Send' },
  hold: {
    title: 'Take it out of play',
    about: 'The task becomes BLOCKED until you or the planner answers. Its coder is not to blame, and its work stays.',
    label: 'Why',
    act: 'Hold',
  },
  release: {
    title: 'Take the claim away',
    about: 'Whoever holds it loses the claim at once, even if the lease still runs. The worktree stays.',
    label: 'Why',
    act: 'Release',
  },
  abandon: { title: 'Abandon the task', about: 'Drops it for good. Its work is kept under a ref.', label: 'Why', act: 'Abandon for good' },
}

/** What a person can do with a task in its state. */
export function TaskActions({ boardId, view }: { boardId: string; view: TaskView }) {
  const { task, moves } = view
  const [act, setAct] = useState<Act | null>(null)
  const finalize = useChange('moveTask')
  const approve = useChange('approvePlan')
  const waits = task.status === 'UNCLAIMED' && task.plan_approved_by === null
  const error = finalize.error ?? approve.error
  return (
    <>
      <Button icon={<MessageSquarePlus size={16} aria-hidden />} onClick={() => setAct('note')}>
        Note
      </Button>
      {moves.includes('hold') && (
        <Button icon={<Hand size={16} aria-hidden />} onClick={() => setAct('hold')}>
          Hold
        </Button>
      )}
      {moves.includes('release') && (
        <Button icon={<Undo2 size={16} aria-hidden />} onClick={() => setAct('release')}>
          Release
        </Button>
      )}
      {moves.includes('abandon') && (
        <Button look="danger" icon={<Ban size={16} aria-hidden />} onClick={() => setAct('abandon')}>
          Abandon
        </Button>
      )}
      {moves.includes('finalize') && (
        <Button look="primary" onClick={() => finalize.mutate({ params: { id: boardId, task: task.id }, body: { move: 'finalize' } })}>
          Finalize
        </Button>
      )}
      {waits && (
        <Button
          look="primary"
          icon={<CircleCheck size={16} aria-hidden />}
          onClick={() => approve.mutate({ params: { id: boardId }, body: { tasks: [task.id] } })}
        >
          Approve
        </Button>
      )}
      {error !== null && <ErrorNote error={error} />}
      {act !== null && <ActDialog boardId={boardId} task={task.id} act={act} onClose={() => setAct(null)} />}
    </>
  )
}

function ActDialog({ boardId, task, act, onClose }: { boardId: string; task: string; act: Act; onClose: () => void }) {
  const move = useChange('moveTask')
  const note = useChange('addNote')
  const [reason, setReason] = useState('')
  const [root_cause, setRootCause] = useState('')
  const { title, about, label, act: verb } = asks[act]
  const silent = reason.trim() === '' || (act === 'abandon' && root_cause.trim() === '')
  const error = move.error ?? note.error
  function carryOut() {
    const then = { onSuccess: onClose }
    const params = { id: boardId, task }
    if (act === 'note') return note.mutate({ params: { id: boardId }, body: { task, message: reason } }, then)
    if (act === 'hold') return move.mutate({ params, body: { move: 'hold', reason } }, then)
    if (act === 'release') return move.mutate({ params, body: { move: 'release', reason, force: true } }, then)
    move.mutate({ params, body: { move: 'abandon', reason, root_cause } }, then)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      about={about}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={act === 'abandon' ? 'danger' : 'primary'} disabled={silent || move.isPending || note.isPending} onClick={carryOut}>
            {verb}
          </Button>
        </>
      }
    >
      <TextArea label={label} rows={3} value={reason} onChange={(event) => setReason(event.target.value)} />
      {act === 'abandon' && (
        <TextArea
          label="What really went wrong with it"
          rows={2}
          value={root_cause}
          onChange={(event) => setRootCause(event.target.value)}
        />
      )}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  )
}
