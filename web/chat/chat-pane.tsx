import { CircleAlert, ListChecks, Play } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from './chat-view.ts'
import { usePerform, useRefinedRead } from '../api.ts'
import { RolesIn } from '../roles/role-badge.tsx'
import { RunLink } from '../trace/run-link.tsx'
import { useTitle } from '../title.ts'
import { BackArrow } from '../ui/layout/back-link.tsx'
import { Button } from '../ui/form/button.tsx'
import { Money, ProgressBar, Tokens } from '../ui/text/figures.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'
import { ChatSettings } from './chat-settings.tsx'
import { Composer } from './composer.tsx'
import { ContextGauge } from './context-gauge.tsx'
import { FileChanges } from './file-changes.tsx'
import { MessageList } from './message-list.tsx'
import { RoleSwitcher } from './role-switcher.tsx'

const PAGE = 200

/** One chat: who is at work in the heading, what was said below it, the text box at the foot. */
export function ChatPane({ id }: { id: string }) {
  const [limit, setLimit] = useState(PAGE)
  const chat = useRefinedRead('chat.show', { chat: id, limit })
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
        <FileChanges chat={chat.data} />
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
          <Tokens usage={chat.usage} of={limits.max_tokens} /> · <Money spent={chat.usage} of={limits.max_cost_microusd} />
          {chat.run !== null && chat.run.context_tokens > 0 && (
            <span className="max-sm:hidden">
              {' · '}
              <ContextGauge chat={chat} />
            </span>
          )}
          <span className="max-sm:hidden"> · {chat.workspace}</span>
        </p>
      </div>
      {chat.run !== null && (
        <RunLink run={chat.run.id} className="rounded-md px-2 py-1 text-sm text-soft hover:bg-raised hover:text-ink max-sm:hidden">
          Trace
        </RunLink>
      )}
      <ChatSettings chat={chat} />
      <RoleSwitcher chat={chat} />
    </header>
  )
}

/** How far the plan in force has come, in sight wherever the reader is; the card itself scrolls away while the work grows. */
function PlanStrip({ chat }: { chat: ChatView }) {
  const plan = chat.plans.findLast(({ status }) => status === 'approved')
  if (plan === undefined) return null
  const { steps } = plan.content
  const numbersOf = (wanted: string) => chat.step_progress.flatMap(({ step_number, status }) => (status === wanted ? [step_number] : []))
  const done = numbersOf('done').length
  const active = steps.find(({ step_number }) => numbersOf('active').includes(step_number))
  return (
    <div className="border-b border-line bg-surface py-1.5 text-xs">
      <div className="mx-auto flex max-w-3xl items-center gap-3 px-3 sm:px-5">
        <ListChecks size={14} className="shrink-0 text-soft" aria-hidden />
        <span className="min-w-0 flex-1 truncate">
          {active === undefined ? plan.content.goal : `Step ${active.step_number} of ${steps.length}: ${active.action}`}
        </span>
        <div className="w-28 shrink-0 sm:w-40">
          <ProgressBar done={done} of={steps.length} label={`Plan in force: ${done} of ${steps.length} steps`} />
        </div>
      </div>
    </div>
  )
}

/** What a person can do about a turn that ended before it was done: carry it on. */
function RunEnded({ chat }: { chat: ChatView }) {
  const { run } = chat
  if (run === null || chat.running || run.status === 'completed' || run.status === 'waiting') return null
  return <Interrupted chat={chat} status={run.status} />
}

const words = {
  running: 'This turn was interrupted. Everything up to here is kept.',
  stopped: 'You can continue where it stopped.',
  failed: 'The turn ended early; see the reason above.',
} as const

function Interrupted({ chat, status }: { chat: ChatView; status: keyof typeof words }) {
  const resume = usePerform('chat.continue')
  return (
    <div className="border-t border-line bg-warn-wash py-2 text-sm text-warn">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-3 px-3 sm:px-5">
        <span className="min-w-0 flex-1">{words[status]}</span>
        <Button small icon={Play} onClick={() => resume.mutate({ chat: chat.id })} disabled={resume.isPending}>
          Continue
        </Button>
        {resume.isError && <ErrorNote error={resume.error} />}
      </div>
    </div>
  )
}
