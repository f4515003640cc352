import { CircleStop, Flag, MessageSquarePlus, OctagonX, Pause, Play, Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BoardView } from './views.ts'
import { useActionsHere } from '../ui/actions-here.ts'
import { usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { WordsDialog } from '../ui/form/words-dialog.tsx'
import { TaskForm } from './task/task-form.tsx'

type Order = 'PAUSE' | 'RESUME' | 'CHECKPOINT' | 'ABORT' | 'NOTE'

/** What each order does, and what is asked before it is given. */
const asks: Record<Order, { title: string; about: string; label: string; act: string; needsWords?: true }> = {
  PAUSE: {
    title: 'Pause the team',
    about: 'Agents stop at their next step and nobody is given work until you resume. Nothing is lost.',
    label: 'Why (the team reads it)',
    act: 'Pause',
  },
  RESUME: {
    title: 'Resume',
    about: 'The team goes on. After a checkpoint your decision goes into the retrospective.',
    label: 'What was decided',
    act: 'Resume',
  },
  CHECKPOINT: {
    title: 'Stop for a checkpoint',
    about: 'The team stops for your look at the sprint; it goes on when you resume with a decision.',
    label: 'What the checkpoint is about',
    act: 'Stop for a checkpoint',
  },
  ABORT: {
    title: 'Abort the goal',
    about: 'Ends this goal and its sprint for good. Branches, worktrees and the record stay; the board cannot be resumed.',
    label: 'Why it ends here',
    act: 'Abort for good',
    needsWords: true,
  },
  NOTE: {
    title: 'Note to the team',
    about: 'Every agent reads it in its next prompt.',
    label: 'Your note',
    act: 'Send',
    needsWords: true,
  },
}

/** Add a task, pause, resume, stop the team, checkpoint, abort, and a word to everyone. */
export function BoardControls({ board }: { board: BoardView }) {
  const [, go] = useLocation()
  const [order, setOrder] = useState<Order | null>(null)
  const [adding, setAdding] = useState(false)
  const over = board.goal.status !== 'IN_PROGRESS'
  const stopped = board.signal !== null
  const open = [
    { label: 'Add a task', run: () => setAdding(true) },
    { label: 'Note to the team', run: () => setOrder('NOTE') },
    stopped ? { label: 'Resume', run: () => setOrder('RESUME') } : { label: 'Pause', run: () => setOrder('PAUSE') },
  ]
  useActionsHere(over ? [] : open)
  return (
    <>
      {over && (
        <Button look="primary" icon={Plus} onClick={() => go('/board/new')}>
          New goal
        </Button>
      )}
      {!over && (
        <>
          <Button icon={Plus} onClick={() => setAdding(true)}>
            Add a task
          </Button>
          <Button icon={MessageSquarePlus} onClick={() => setOrder('NOTE')}>
            Note
          </Button>
          {stopped ? (
            <Button look="primary" icon={Play} onClick={() => setOrder('RESUME')}>
              Resume
            </Button>
          ) : (
            <Button icon={Pause} onClick={() => setOrder('PAUSE')}>
              Pause
            </Button>
          )}
          <StopTeam board={board} />
          <Button icon={Flag} disabled={board.sprint.status !== 'IN_PROGRESS'} onClick={() => setOrder('CHECKPOINT')}>
            Checkpoint
          </Button>
          <Button look="danger" icon={OctagonX} onClick={() => setOrder('ABORT')}>
            Abort
          </Button>
        </>
      )}
      {adding && <TaskForm boardId={board.id} onClose={() => setAdding(false)} />}
      {order !== null && <OrderDialog board={board} order={order} onClose={() => setOrder(null)} />}
    </>
  )
}

/** Only for a team that was started on this page; one in a terminal is stopped there, or paused. */
function StopTeam({ board }: { board: BoardView }) {
  const stop = usePerform('board.stop_team')
  if (useRead('board.view_team', { board: board.id }).data?.at_work !== true) return null
  return (
    <Button icon={CircleStop} disabled={stop.isPending} onClick={() => stop.mutate({ board: board.id })}>
      Stop the team
    </Button>
  )
}

function OrderDialog({ board, order, onClose }: { board: BoardView; order: Order; onClose: () => void }) {
  const orders = {
    PAUSE: usePerform('board.pause'),
    CHECKPOINT: usePerform('board.checkpoint'),
    ABORT: usePerform('board.abort'),
    NOTE: usePerform('board.add_note'),
  }
  const resume = usePerform('board.resume')
  const { needsWords, ...asked } = asks[order]
  const decides = order === 'RESUME' && board.signal?.name === 'CHECKPOINT'
  const then = { onSuccess: onClose }
  function give(message: string) {
    if (order === 'RESUME') return resume.mutate({ board: board.id, decision: message }, then)
    orders[order].mutate({ board: board.id, message }, then)
  }
  return (
    <WordsDialog
      {...asked}
      look={order === 'ABORT' ? 'danger' : 'primary'}
      needed={needsWords === true || decides}
      change={order === 'RESUME' ? resume : orders[order]}
      onAct={give}
      onClose={onClose}
    />
  )
}
