import { Play } from 'lucide-react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import { useChange } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/notice.tsx'

/** What a person can do about a turn that ended before it was done: carry it on. */
export function RunEnded({ chat }: { chat: ChatView }) {
  const { run } = chat
  if (run === null || chat.running || run.status === 'completed' || run.status === 'waiting') return null
  return <Interrupted chat={chat} status={run.status} />
}

const words = {
  running: 'This turn was interrupted. Everything up to here is kept.',
  stopped: 'You can carry on where it stopped.',
  failed: 'The turn ended before it was done; the reason stands above.',
} as const

function Interrupted({ chat, status }: { chat: ChatView; status: keyof typeof words }) {
  const resume = useChange('continueChat')
  return (
    <div className="border-t border-line bg-warn-wash px-4 py-2 text-sm text-warn">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-3">
        <span className="min-w-0 flex-1">{words[status]}</span>
        <Button small icon={Play} onClick={() => resume.mutate({ params: { id: chat.id } })} disabled={resume.isPending}>
          Continue
        </Button>
        {resume.isError && <ErrorNote error={resume.error} />}
      </div>
    </div>
  )
}
