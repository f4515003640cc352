import { ArrowLeft, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ChatView } from '../../src/api/contract/chat.ts'
import { useChange, useRoute } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Money } from '../ui/figures.tsx'
import { ErrorNote, Loading } from '../ui/notice.tsx'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { RoleSwitcher } from './role-switcher.tsx'

const PAGE = 200

/** One chat: who is at work in the heading, what was said below it, the text box at the foot. */
export function ChatPane({ id }: { id: string }) {
  const [limit, setLimit] = useState(PAGE)
  const chat = useRoute('getChat', { params: { id }, query: { limit } })
  if (chat.isPending) return <Loading />
  if (chat.isError) return <ErrorNote error={chat.error} />
  return (
    <div className="flex h-full flex-col">
      <Heading chat={chat.data} />
      {chat.data.role_warning !== null && (
        <p role="alert" className="flex gap-2 border-b border-line bg-warn-wash px-4 py-2 text-warn">
          <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
          {chat.data.role_warning}
        </p>
      )}
      <MessageList chat={chat.data} onEarlier={() => setLimit((now) => now + PAGE)} />
      <Interrupted chat={chat.data} />
      <Composer chat={chat.data} />
    </div>
  )
}

function Heading({ chat }: { chat: ChatView }) {
  return (
    <header className="flex items-center gap-3 border-b border-line bg-surface px-3 py-2 sm:px-4">
      <Link href="/chat" aria-label="All chats" className="rounded p-1 text-soft sm:hidden">
        <ArrowLeft size={18} aria-hidden />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold">{chat.title}</h1>
        <p className="truncate text-xs text-soft" title={chat.workspace}>
          {chat.workspace} · {chat.usage.input_tokens + chat.usage.output_tokens} tokens · <Money microusd={chat.usage.cost_microusd} />
        </p>
      </div>
      <RoleSwitcher chat={chat} />
    </header>
  )
}

function Interrupted({ chat }: { chat: ChatView }) {
  const resume = useChange('continueChat')
  const run = chat.run
  if (run === null || chat.running || (run.status !== 'running' && run.status !== 'failed')) return null
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line bg-warn-wash px-4 py-2 text-sm text-warn">
      <span className="min-w-0 flex-1">
        {run.status === 'failed'
          ? `The turn ended: ${run.reason ?? 'unknown reason'}`
          : 'This turn was interrupted. Everything up to here is kept.'}
      </span>
      {resume.isError && <span role="alert">{resume.error.message}</span>}
      <Button small onClick={() => resume.mutate({ params: { id: chat.id } })} disabled={resume.isPending}>
        Continue
      </Button>
    </div>
  )
}
