import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import { useRefinedRoute } from '../api.ts'
import { RolesIn } from '../roles/role-badge.tsx'
import { useTitle } from '../title.ts'
import { BackArrow } from '../ui/back-link.tsx'
import { Money, Tokens } from '../ui/figures.tsx'
import { Missing } from '../ui/missing.tsx'
import { Loading } from '../ui/notice.tsx'
import { ChatSettings } from './chat-settings.tsx'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { PlanStrip } from './plan-strip.tsx'
import { RunEnded } from './run-ended.tsx'
import { RoleSwitcher } from './role-switcher.tsx'

const PAGE = 200

/** One chat: who is at work in the heading, what was said below it, the text box at the foot. */
export function ChatPane({ id }: { id: string }) {
  const [limit, setLimit] = useState(PAGE)
  const chat = useRefinedRoute('getChat', { params: { id }, query: { limit } })
  // A refresh that failed leaves what was read: a server that is away must not take a half-written message with it.
  if (chat.data === undefined)
    return chat.isError ? <Missing error={chat.error} what="chat" back={{ href: '/chat', label: 'All chats' }} /> : <Loading />
  return (
    <RolesIn value={chat.data.workspace}>
      <div className="flex h-full flex-col">
        <Heading chat={chat.data} />
        {chat.data.role_warning !== null && (
          <p role="alert" className="flex gap-2 border-b border-line bg-warn-wash px-4 py-2 whitespace-pre-wrap text-warn">
            <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
            {chat.data.role_warning}
          </p>
        )}
        <PlanStrip chat={chat.data} />
        <MessageList chat={chat.data} onEarlier={() => setLimit((now) => now + PAGE)} />
        <RunEnded chat={chat.data} />
        <Composer chat={chat.data} />
      </div>
    </RolesIn>
  )
}

function Heading({ chat }: { chat: ChatView }) {
  const { limits } = chat.config
  useTitle(chat.title)
  return (
    <header className="flex items-center gap-1.5 border-b border-line bg-surface px-3 py-2 sm:gap-3 sm:px-4">
      <BackArrow href="/chat" label="All chats" />
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-semibold">{chat.title}</h1>
        <p className="truncate text-xs text-soft" title={chat.workspace}>
          <span className="max-sm:hidden">{chat.workspace} · </span>
          <Tokens usage={chat.usage} of={limits.max_tokens} /> · <Money microusd={chat.usage.cost_microusd} of={limits.max_cost_microusd} />
        </p>
      </div>
      <ChatSettings chat={chat} />
      <RoleSwitcher chat={chat} />
    </header>
  )
}
