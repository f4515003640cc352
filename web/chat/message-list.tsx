import { useEffect, useRef } from 'react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { useDraft } from '../live.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Button } from '../ui/button.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { EmptyState } from '../ui/notice.tsx'
import { Message } from './message.tsx'

/** How near the end counts as reading along; further up, new messages must not move what is being read. */
const NEAR_END_PX = 120

/** The messages of a chat. The browser skips drawing what is out of sight, so a thousand messages scroll like ten. */
export function MessageList({ chat, onEarlier }: { chat: ChatView; onEarlier: () => void }) {
  const draft = useDraft(chat.id)
  const scroller = useReadAlong()
  return (
    <div ref={scroller} tabIndex={0} role="log" aria-label="Messages" className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:auto]">
      <div className="mx-auto flex max-w-3xl flex-col gap-3 px-3 pt-4 pb-6 sm:px-5">
        {chat.earlier && (
          <Button small className="self-center" onClick={onEarlier}>
            Show earlier messages
          </Button>
        )}
        {chat.messages.length === 0 && !chat.running && (
          <EmptyState title="Say what you want done">
            The role above decides what may happen. Nothing is changed before you approve a plan or switch to a role that acts.
          </EmptyState>
        )}
        {foldedCalls(chat.messages).map(({ message, result }) => (
          <div key={message.id} className="[contain-intrinsic-size:auto_6rem] [content-visibility:auto]">
            <Message chat={chat} message={message} result={result} />
          </div>
        ))}
        {chat.running && <Draft role={chat.run?.agent_role ?? chat.agent_role} text={draft} />}
      </div>
    </div>
  )
}

/** Keeps the end in sight while the reader is there; what grows (a card, an answer being written) then pushes upwards. */
function useReadAlong() {
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = scroller.current
    const content = box?.firstElementChild
    if (!box || !content) return
    let follows = true
    const onScroll = () => {
      follows = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX
    }
    const toEnd = () => {
      if (follows) box.scrollTop = box.scrollHeight
    }
    const growing = new ResizeObserver(toEnd)
    growing.observe(content)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growing.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [])
  return scroller
}

function Draft({ role, text }: { role: string; text: string }) {
  return (
    <article aria-busy className="flex flex-col gap-1.5">
      <header className="flex items-center gap-2 text-xs text-soft">
        <RoleBadge id={role} />
        <span className="animate-pulse">{text === '' ? 'at work…' : 'writing…'}</span>
      </header>
      {text !== '' && <Markdown text={text} />}
    </article>
  )
}

type ToolResult = Extract<ChatMessage, { type: 'tool_result' }>

/** A call and its result are one line on screen. */
function foldedCalls(messages: readonly ChatMessage[]): { message: ChatMessage; result: ToolResult | null }[] {
  const results = new Map(messages.filter((message) => message.type === 'tool_result').map((message) => [message.call_id, message]))
  const called = new Set(messages.filter((message) => message.type === 'tool_call').map((message) => message.call_id))
  return messages
    .filter((message) => message.type !== 'tool_result' || !called.has(message.call_id))
    .map((message) => ({ message, result: message.type === 'tool_call' ? (results.get(message.call_id) ?? null) : null }))
}
