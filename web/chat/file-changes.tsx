import { FileDiff, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import { counted } from '../../src/domain/text/format.ts'
import { Refusal, usePerform, useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { DiffView } from '../ui/diff.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'

/** What the last turn that still holds did to files: to look at, and to take back. */
export function FileChanges({ chat }: { chat: ChatView }) {
  const listed = useRead('chat.checkpoints', { chat: chat.id })
  const [shown, setShown] = useState(false)
  const undo = usePerform('chat.undo')
  const turn = listed.data?.checkpoints.findLast(({ kind, undone }) => kind === 'turn' && !undone)
  if (turn === undefined || chat.running) return null
  const conflict = undo.error instanceof Refusal && undo.error.code === 'conflict' ? undo.error : null
  return (
    <div className="border-t border-line bg-surface py-1.5 text-xs text-soft">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-2 px-3 sm:px-5">
        <span className="min-w-0 flex-1 truncate">Last turn: {counted(turn.files.length, 'file')} changed</span>
        <Button small icon={FileDiff} onClick={() => setShown(true)}>
          What changed
        </Button>
        <Button small icon={Undo2} disabled={undo.isPending} onClick={() => undo.mutate({ chat: chat.id })}>
          Undo this turn
        </Button>
        {undo.isError && conflict === null && <ErrorNote error={undo.error} />}
      </div>
      {shown && <Changes chat={chat} since={turn.number} onClose={() => setShown(false)} />}
      {conflict !== null && (
        <Dialog
          onClose={undo.reset}
          title="Undo it all the same?"
          about={conflict.message}
          actions={
            <>
              <Button onClick={undo.reset}>Cancel</Button>
              <Button look="danger" onClick={() => undo.mutate({ chat: chat.id, force: true })}>
                Undo anyway
              </Button>
            </>
          }
        />
      )}
    </div>
  )
}

function Changes({ chat, since, onClose }: { chat: ChatView; since: number; onClose: () => void }) {
  const changes = useRead('chat.changes', { chat: chat.id, since })
  return (
    <Dialog onClose={onClose} title="What changed">
      {changes.isPending && <Loading />}
      {changes.isError && <ErrorNote error={changes.error} />}
      {changes.data?.files.length === 0 && <p>Nothing is different any more.</p>}
      {changes.data?.files.map(({ path, change, added, removed, diff }) => (
        <div key={path} className="flex flex-col gap-1">
          <p className="font-mono text-xs break-all">
            {path} · {change} · +{added} −{removed}
          </p>
          {diff !== '' && <DiffView patch={diff} />}
        </div>
      ))}
    </Dialog>
  )
}
