import { Pin } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import type { ChatSummary } from './chat-view.ts'
import { useRefinedRead } from '../api.ts'
import { RoleGlyph } from '../roles/role-glyph.tsx'
import { projectName, useProject } from '../shell/use-project.ts'
import { Button } from '../ui/form/button.tsx'
import { TextField } from '../ui/form/field.tsx'
import { useKeptScroll } from '../ui/layout/use-kept-scroll.ts'
import { EmptyList, ErrorNote } from '../ui/status/notice.tsx'
import { SkeletonRows } from '../ui/status/skeleton.tsx'
import { Moment } from '../ui/text/figures.tsx'

/** The chats of the chosen project, searchable, by day, each with its role and a dot where it runs, failed or needs a person. */
export function ChatList({ openId }: { openId: string | undefined }) {
  const [words, setWords] = useState('')
  const search = useDeferredValue(words)
  const [archived, setArchived] = useState(false)
  const [project] = useProject()
  const chats = useRefinedRead('chat.list', { archived, ...(search !== '' && { search }) })
  const shown = chats.data?.chats.filter(({ workspace }) => project === null || workspace === project)
  const list = useKeptScroll<HTMLDivElement>('chats')
  return (
    <>
      <div className="border-b border-line p-3 pt-2 max-sm:px-4">
        <TextField label="Search chats" hideLabel type="search" placeholder="Search chats" value={words} onText={setWords} />
      </div>
      {chats.isPending && <SkeletonRows label="Loading chats" />}
      {chats.isError && chats.data === undefined && <ErrorNote error={chats.error} />}
      {shown?.length === 0 && (
        <EmptyList>
          {search === ''
            ? 'No chats yet. In a chat, you plan with the Planner and the Actor carries the plan out.'
            : 'No chats match your search.'}
        </EmptyList>
      )}
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        {byDay(shown ?? []).map(([day, some]) => (
          <section key={day} aria-label={day}>
            <h2 className="sticky top-0 bg-surface px-2 pt-3 pb-1 text-xs font-medium text-soft">{day}</h2>
            <ul>
              {some.map((chat) => (
                <li key={chat.id}>
                  <ChatLink chat={chat} open={chat.id === openId} foldered={project === null} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Button small look="ghost" className="m-2" aria-pressed={archived} onClick={() => setArchived(!archived)}>
        {archived ? 'Show current chats' : 'Show archived chats'}
      </Button>
    </>
  )
}

const DAY_MS = 86_400_000

/** Pinned ones first, then by how long ago they were last used. */
function byDay(chats: readonly ChatSummary[]): [string, ChatSummary[]][] {
  const midnight = new Date().setHours(0, 0, 0, 0)
  return [...Map.groupBy(chats, ({ pinned, updated_at }) => (pinned ? 'Pinned' : dayName(midnight - Date.parse(updated_at))))]
}

function dayName(beforeMidnightMs: number): string {
  if (beforeMidnightMs <= 0) return 'Today'
  if (beforeMidnightMs <= DAY_MS) return 'Yesterday'
  return beforeMidnightMs <= 7 * DAY_MS ? 'Last 7 days' : 'Older'
}

function ChatLink({ chat, open, foldered }: { chat: ChatSummary; open: boolean; foldered: boolean }) {
  return (
    <Link
      href={`/chat/${chat.id}`}
      aria-current={open ? 'page' : undefined}
      className={`flex items-start gap-2.5 rounded-md px-2 py-1.5 ${open ? 'bg-raised' : 'hover:bg-raised'}`}
    >
      <RoleGlyph id={chat.enforced_role} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={`min-w-0 flex-1 truncate ${open ? 'font-medium' : ''}`}>
            {chat.pinned && <Pin size={12} className="mr-1 inline" aria-label="pinned" />}
            {chat.title}
          </span>
          <Moment at={chat.updated_at} className="text-xs text-soft" />
        </span>
        <ChatState chat={chat} folder={foldered ? projectName(chat.workspace) : ''} />
      </span>
    </Link>
  )
}

/** What the second line says: that a person is needed, that it failed, that it runs; else where it is. */
function ChatState({ chat, folder }: { chat: ChatSummary; folder: string }) {
  const state = stateOf(chat)
  if (state === null) return <span className="block truncate text-xs text-soft">{folder}</span>
  return (
    <span className={`flex items-center gap-1.5 text-xs ${state.ink}`}>
      <span className={`size-2 shrink-0 rounded-full ${state.dot}`} aria-hidden />
      {state.label}
      {folder !== '' && <span className="min-w-0 truncate text-soft">{folder}</span>}
    </span>
  )
}

function stateOf({ needs_you, failed, running }: ChatSummary) {
  if (needs_you) return { label: 'needs you', ink: 'text-danger', dot: 'bg-danger' }
  if (failed) return { label: 'failed', ink: 'text-danger', dot: 'bg-danger' }
  return running ? { label: 'running', ink: 'text-good', dot: 'animate-pulse bg-good' } : null
}
