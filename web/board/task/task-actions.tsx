import { Ban, CircleCheck, Hand, MessageSquarePlus, Pencil, Split, Undo2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { TaskView } from './task-view.ts'
import { usePerform } from '../../api.ts'
import { Button } from '../../ui/form/button.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { ErrorNote } from '../../ui/status/notice.tsx'
import { WordsDialog } from '../../ui/form/words-dialog.tsx'
import { SupersedeForm } from './supersede-form.tsx'
import { TaskForm } from './task-form.tsx'

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

interface ActButton {
  act: Act | 'edit' | 'supersede'
  /** The move it stands for; what has none can always be done. */
  move: string | null
  name: string
  icon: LucideIcon
  look?: 'danger'
}

// oxfmt-ignore
const buttons: readonly ActButton[] = [
  { act: 'note',      move: null,        name: 'Note',    icon: MessageSquarePlus },
  { act: 'edit',      move: 'finalize',  name: 'Edit',    icon: Pencil },
  { act: 'hold',      move: 'hold',      name: 'Hold',    icon: Hand },
  { act: 'release',   move: 'release',   name: 'Release', icon: Undo2 },
  { act: 'supersede', move: 'supersede', name: 'Replace', icon: Split },
  { act: 'abandon',   move: 'abandon',   name: 'Abandon', icon: Ban, look: 'danger' },
]

/** What a person can do with a task in its state. */
export function TaskActions({ boardId, view }: { boardId: string; view: TaskView }) {
  const { task, moves } = view
  const [act, setAct] = useState<Act | 'edit' | 'supersede' | null>(null)
  const approve = usePerform('board.approve_plan')
  const finalize = usePerform('board.finalize_task')
  const close = () => setAct(null)
  const waits = task.status === 'UNCLAIMED' && task.plan_approved_by === null
  return (
    <>
      {buttons
        .filter(({ move }) => move === null || moves.includes(move))
        .map(({ act: opened, name, icon, look }) => (
          <Button key={name} look={look ?? 'plain'} icon={icon} onClick={() => setAct(opened)}>
            {name}
          </Button>
        ))}
      {moves.includes('finalize') && (
        <Button
          look="primary"
          icon={CircleCheck}
          disabled={finalize.isPending}
          onClick={() => finalize.mutate({ board: boardId, task: task.id }, { onError: () => setAct('edit') })}
        >
          Finalize
        </Button>
      )}
      {waits && (
        <Button
          look="primary"
          icon={CircleCheck}
          disabled={approve.isPending}
          onClick={() => approve.mutate({ board: boardId, tasks: [task.id] })}
        >
          Approve
        </Button>
      )}
      {approve.isError && <ErrorNote error={approve.error} />}
      {act === 'edit' && <TaskForm boardId={boardId} draft={task} refusal={finalize.error} onClose={close} />}
      {act === 'supersede' && <SupersedeForm boardId={boardId} task={task} onClose={close} />}
      {act !== null && act !== 'edit' && act !== 'supersede' && <ActDialog boardId={boardId} task={task.id} act={act} onClose={close} />}
    </>
  )
}

function ActDialog({ boardId, task, act, onClose }: { boardId: string; task: string; act: Act; onClose: () => void }) {
  const hold = usePerform('board.hold_task')
  const release = usePerform('board.release_task')
  const abandon = usePerform('board.abandon_task')
  const note = usePerform('board.add_note')
  const [root_cause, setRootCause] = useState('')
  const then = { onSuccess: onClose }
  function carryOut(reason: string) {
    const named = { board: boardId, task, reason }
    if (act === 'note') return note.mutate({ board: boardId, task, message: reason }, then)
    if (act === 'hold') return hold.mutate(named, then)
    if (act === 'release') return release.mutate({ ...named, force: true }, then)
    abandon.mutate({ ...named, root_cause }, then)
  }
  return (
    <WordsDialog
      {...asks[act]}
      look={act === 'abandon' ? 'danger' : 'primary'}
      needed
      change={{ note, hold, release, abandon }[act]}
      disabled={act === 'abandon' && root_cause.trim() === ''}
      onAct={carryOut}
      onClose={onClose}
    >
      {act === 'abandon' && <TextArea label="What really went wrong with it" rows={2} value={root_cause} onText={setRootCause} />}
    </WordsDialog>
  )
}
