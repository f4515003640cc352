import { ArrowRight, CircleAlert } from 'lucide-react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Badge } from '../ui/badge.tsx'
import { Money, Moment } from '../ui/figures.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { PlanCard } from './plan-card.tsx'
import { QuestionCard } from './question-card.tsx'
import { ToolLine } from './tool-line.tsx'

type ToolResult = Extract<ChatMessage, { type: 'tool_result' }>
type Spoken = Extract<ChatMessage, { type: 'text' | 'plan' | 'question' }>

/** Draws a message by its type. */
export function Message({ chat, message, result }: { chat: ChatView; message: ChatMessage; result: ToolResult | null }) {
  switch (message.type) {
    case 'text':
      return message.from === 'user' ? <UserText message={message} /> : <AssistantMessage message={message} />
    case 'plan':
      return (
        <AssistantMessage message={message}>
          <PlanCard chat={chat} planId={message.plan_id} />
        </AssistantMessage>
      )
    case 'question':
      return (
        <AssistantMessage message={message}>
          <QuestionCard chat={chat} questionId={message.question_id} />
        </AssistantMessage>
      )
    case 'tool_call':
      return <ToolLine chat={chat} call={message} result={result} />
    case 'tool_result':
      return <ToolLine chat={chat} call={null} result={message} />
    case 'role_change':
      return <RoleChange message={message} />
    case 'error':
      return <ErrorLine message={message} />
  }
}

function UserText({ message }: { message: Spoken }) {
  return (
    <article className="ml-auto w-fit max-w-[85%] rounded-2xl rounded-br-sm bg-accent-wash px-4 py-2.5">
      <span className="sr-only">You said:</span>
      <p className="break-words whitespace-pre-wrap">{message.text}</p>
    </article>
  )
}

function AssistantMessage({ message, children }: { message: Spoken; children?: React.ReactNode }) {
  return (
    <article className="flex flex-col gap-1.5">
      <header className="flex flex-wrap items-center gap-2 text-xs text-soft">
        {message.role !== null && <RoleBadge id={message.role} />}
        <Moment at={message.at} />
        {message.model !== null && <span className="truncate">{message.model}</span>}
        {message.usage !== null && (
          <span>
            {message.usage.input_tokens + message.usage.output_tokens} tokens · <Money microusd={message.usage.cost_microusd} />
          </span>
        )}
        {message.type === 'text' && message.stopped && <Badge tone="warn">stopped here</Badge>}
        {message.type === 'text' && message.unparsed !== null && <Badge title={message.unparsed}>not a plan: see why</Badge>}
      </header>
      {message.text !== '' && <Markdown text={message.text} />}
      {children}
    </article>
  )
}

function RoleChange({ message }: { message: Extract<ChatMessage, { type: 'role_change' }> }) {
  const { from, to, by, reason } = message.details
  return (
    <p className="flex flex-wrap items-center justify-center gap-2 text-xs text-soft">
      {typeof from === 'string' && <RoleBadge id={from} />}
      <ArrowRight size={14} aria-label="to" />
      {typeof to === 'string' && <RoleBadge id={to} />}
      <span>
        by {typeof by === 'string' ? by : 'a person'}
        {typeof reason === 'string' && reason !== '' ? `: ${reason}` : ''}
      </span>
      <Moment at={message.at} />
    </p>
  )
}

function ErrorLine({ message }: { message: Extract<ChatMessage, { type: 'error' }> }) {
  return (
    <p role="alert" className="flex items-start gap-2 rounded-lg border border-danger/40 bg-danger-wash px-3 py-2 text-danger">
      <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
      <span className="break-words">{message.text}</span>
    </p>
  )
}
