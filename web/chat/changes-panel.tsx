import { Undo2 } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { OperationOutput } from '../../src/api/operations.ts'
import { counted, shorten } from '../../src/domain/text/format.ts'
import { perform, useRead } from '../api.ts'
import { CommentBar, commentsText } from '../ui/diff/comment-bar.tsx'
import { DiffView } from '../ui/diff/diff-view.tsx'
import { useLineComments, type LineComment } from '../ui/diff/line-comments.ts'
import { SelectField } from '../ui/form/field.tsx'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import type { ChatView } from './chat-view.ts'
import { sendText } from './unsent.ts'

type Checkpoint = OperationOutput<'chat.checkpoints'>['checkpoints'][number]
type Changed = OperationOutput<'chat.changes'>['files'][number]

interface ChangesPanelProps {
  chat: ChatView
  turns: readonly Checkpoint[]
  /** Puts everything back as it was before a turn. */
  onRevert: (turn: Checkpoint) => void
  onClose: () => void
}

/** Everything the agents of a chat changed, since it began or since one of its turns. */
export function ChangesPanel({ chat, turns, onRevert, onClose }: ChangesPanelProps) {
  const [since, setSince] = useState('')
  const turn = turns.find(({ number }) => `${number}` === since)
  return (
    <Dialog onClose={onClose} title="Changes in this chat" wide>
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="Show what changed"
          value={since}
          onText={setSince}
          options={[
            { value: '', label: 'since the chat began' },
            ...turns.map((one) => ({ value: `${one.number}`, label: `since before turn ${one.number}: ${turnText(one)}` })),
          ]}
        />
        {turn !== undefined && !chat.running && (
          <Button icon={Undo2} onClick={() => onRevert(turn)}>
            Revert to before turn {turn.number}
          </Button>
        )}
      </div>
      <Files chat={chat} since={turn?.number} onSent={onClose} />
    </Dialog>
  )
}

function Files({ chat, since, onSent }: { chat: ChatView; since: number | undefined; onSent: () => void }) {
  const queries = useQueryClient()
  const comments = useLineComments(`chat ${chat.id}`)
  const asked = { chat: chat.id, ...(since === undefined ? {} : { since }) }
  const changes = useRead('chat.changes', asked)
  const files = useMemo(() => changes.data?.files.map(diffFileOf) ?? [], [changes.data])
  if (changes.isPending) return <Loading />
  if (changes.isError) return <ErrorNote error={changes.error} />
  if (files.length === 0) return <EmptyState title="Nothing is different any more">What the agents changed was put back.</EmptyState>
  const loadWhole = async (file: string) => (await perform('chat.changes', { ...asked, file })).files[0]?.diff ?? null
  function send(ready: readonly LineComment[]): void {
    sendText(queries, chat.id, { text: commentsText(ready), attachments: [] })
    comments.clear()
    onSent()
  }
  return (
    <>
      <DiffView id={`chat ${chat.id}`} files={files} loadWhole={loadWhole} comments={comments} />
      <CommentBar comments={comments} act="Send to the agent" about="The agent reads them as your next message." onSend={send} />
    </>
  )
}

const statuses = { created: 'added', changed: 'changed', deleted: 'deleted' } as const

function diffFileOf({ path, change, added, removed, diff }: Changed) {
  return { path, status: statuses[change], added, removed, patch: diff }
}

function turnText({ files }: Checkpoint): string {
  const names = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
  return `${counted(files.length, 'file')}, ${shorten(names.join(', '), 50)}`
}
