import { FileDiff, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import { counted } from '../../src/domain/text/format.ts'
import { perform, Refusal, usePerformChosen, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { ChangesPanel } from './changes-panel.tsx'

/** What the turns of a chat did to files: to look at, and to take back. */
export function FileChanges({ chat }: { chat: ChatView }) {
  const listed = useRead('chat.checkpoints', { chat: chat.id })
  const [shown, setShown] = useState(false)
  const undo = usePerformChosen()
  const [tried, setTried] = useState<Going>({ to: null, force: false })
  const turns = listed.data?.checkpoints.filter(({ kind, undone }) => kind === 'turn' && !undone) ?? []
  const turn = turns.at(-1)
  if (turn === undefined) return null
  const conflict = undo.error instanceof Refusal && undo.error.code === 'conflict' ? undo.error : null
  function goBack(going: Going): void {
    setTried(going)
    undo.mutate(() => carryOut(chat.id, going), { onSuccess: () => setShown(false) })
  }
  return (
    <div className="border-t border-line bg-surface py-1.5 text-xs text-soft">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-2 px-3 sm:px-5">
        <span className="min-w-0 flex-1 truncate">Last turn: {counted(turn.files.length, 'file')} changed</span>
        <Button small icon={FileDiff} onClick={() => setShown(true)}>
          Changes
        </Button>
        {!chat.running && (
          <Button small icon={Undo2} disabled={undo.isPending} onClick={() => goBack({ to: null, force: false })}>
            Revert this turn
          </Button>
        )}
        {undo.isError && conflict === null && <ErrorNote error={undo.error} />}
      </div>
      {shown && (
        <ChangesPanel
          chat={chat}
          turns={turns}
          onRevert={({ number }) => goBack({ to: number, force: false })}
          onClose={() => setShown(false)}
        />
      )}
      {conflict !== null && <Conflict message={conflict.message} onCancel={undo.reset} onForce={() => goBack({ ...tried, force: true })} />}
    </div>
  )
}

function Conflict({ message, onCancel, onForce }: { message: string; onCancel: () => void; onForce: () => void }) {
  const actions = (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button look="danger" onClick={onForce}>
        Revert anyway
      </Button>
    </>
  )
  return <Dialog onClose={onCancel} title="Revert it all the same?" about={message} actions={actions} />
}

/** Before which turn, null for the last one; `force` also where a person changed a file since. */
interface Going {
  to: number | null
  force: boolean
}

function carryOut(chat: string, { to, force }: Going): Promise<unknown> {
  return to === null ? perform('chat.undo', { chat, force }) : perform('chat.restore', { chat, checkpoint: to, force })
}
