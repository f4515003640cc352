import { LoaderCircle, Pin } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import type { ChatSummary } from './chat-view.ts'
import { useRefinedRead } from '../api.ts'
import { useRoles } from '../roles/role-badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { EmptyList, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { RoleIcon } from '../ui/role/role-icon.tsx'

/** All chats, searchable, each in its role's colour, with a mark where a person is needed. */
export function ChatList({ openId }: { openId: string | undefined }) {
  const [words, setWords] = useState('')
  const search = useDeferredValue(words)
  const [archived, setArchived] = useState(false)
  const chats = useRefinedRead('chat.list', { archived, ...(search !== '' && { search }) })
  return (
    <>
      <div className="border-b border-line p-3 pt-2 max-sm:px-4">
        <TextField label="Search chats" hideLabel type="search" placeholder="Search chats" value={words} onText={setWords} />
      </div>
      {chats.isPending && <Loading />}
      {chats.isError && chats.data === undefined && <ErrorNote error={chats.error} />}
      {chats.data?.chats.length === 0 && (
        <EmptyList>
          {search === ''
            ? 'No chats yet. In a chat, you plan with the Planner and the Actor carries the plan out.'
            : 'No chats match your search.'}
        </EmptyList>
      )}
      <ul className="min-h-0 flex-1 overflow-y-auto p-2">
        {chats.data?.chats.map((chat) => (
          <li key={chat.id}>
            <ChatLink chat={chat} open={chat.id === openId} />
          </li>
        ))}
      </ul>
      <Button small look="ghost" className="m-2" aria-pressed={archived} onClick={() => setArchived(!archived)}>
        {archived ? 'Show current chats' : 'Show archived chats'}
      </Button>
    </>
  )
}

function ChatLink({ chat, open }: { chat: ChatSummary; open: boolean }) {
  const role = useRoles().get(chat.enforced_role)
  return (
    <Link
      href={`/chat/${chat.id}`}
      aria-current={open ? 'page' : undefined}
      className={`flex items-center gap-2.5 rounded-lg px-2.5 py-2 ${open ? 'bg-accent-wash' : 'hover:bg-raised'}`}
    >
      <span
        data-role-color={role?.color ?? 'slate'}
        className="grid size-7 shrink-0 place-items-center rounded-full bg-role-wash text-role"
        title={role?.name ?? chat.enforced_role}
      >
        <RoleIcon role={role} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          {chat.pinned && <Pin size={12} className="mr-1 inline" aria-label="pinned" />}
          {chat.title}
        </span>
        <span className="block truncate text-xs text-soft">{chat.workspace.split('/').pop()}</span>
      </span>
      <span className="flex flex-col items-end gap-0.5 text-xs text-soft">
        <Moment at={chat.updated_at} />
        {(chat.needs_you || chat.failed) && (
          <span className="rounded-full bg-danger px-1.5 text-[10px] font-semibold text-surface">
            {chat.needs_you ? 'needs you' : 'failed'}
          </span>
        )}
        {chat.running && !chat.needs_you && <LoaderCircle size={12} className="animate-spin" aria-label="running" />}
      </span>
    </Link>
  )
}
