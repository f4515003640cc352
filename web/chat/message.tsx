import { ArrowRight, CircleAlert, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChatView } from './chat-view.ts'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { counted } from '../../src/domain/text/format.ts'
import { cutTexts } from '../../src/domain/entry.ts'
import { RoleBadge } from '../roles/role-badge.tsx'
import { Badge } from '../ui/status/badge.tsx'
import { Money, Moment, Tokens } from '../ui/text/figures.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import type { ToolResult } from '../trace/folded-calls.ts'
import { MessageActions } from './message-actions.tsx'
import { PlanCard } from './plan-card.tsx'
import { marksIn, withoutMarks } from '../trace/prose.ts'
import { Thoughts } from '../trace/thoughts.tsx'
import { QuestionCard } from './question-card.tsx'
import { Pictures, SaidText } from './said-text.tsx'
import { ToolLine } from './tool-line.tsx'

type Spoken = Extract<ChatMessage, { type: 'text' | 'plan' | 'question' }>

/** Draws a message by its type. */
export function Message({ chat, message, result }: { chat: ChatView; message: ChatMessage; result: ToolResult | null }) {
  switch (message.type) {
    case 'text':
      return message.from === 'user' ? <UserText chat={chat} message={message} /> : <AssistantMessage chat={chat} message={message} />
    case 'plan':
      return (
        <AssistantMessage chat={chat} message={message}>
          <PlanCard chat={chat} planId={message.plan_id} />
        </AssistantMessage>
      )
    case 'question':
      return (
        <AssistantMessage chat={chat} message={message}>
          <QuestionCard chat={chat} questionId={message.question_id} />
        </AssistantMessage>
      )
    case 'tool_call':
      return <ToolLine chat={chat} call={message} result={result} />
    case 'tool_result':
      return <ToolLine chat={chat} call={null} result={message} />
    case 'role_change':
      return <RoleChange message={message} />
    case 'thoughts':
      return <Thoughts text={message.text} />
    case 'compaction':
      return <Compaction text={message.text} />
    case 'undo':
      return <GoneBack message={message} />
    case 'error':
      return <ErrorLine message={message} />
  }
}

function UserText({ chat, message }: { chat: ChatView; message: Spoken }) {
  return (
    <div className="group ml-auto flex w-fit max-w-[95%] flex-row-reverse items-center gap-1">
      <article className="min-w-0 rounded-xl rounded-br-sm bg-accent-wash px-4 py-2.5">
        <span className="sr-only">You said:</span>
        <p className="whitespace-pre-wrap">
          <SaidText message={message} />
        </p>
        {message.type === 'text' && message.attachments !== undefined && <Pictures chatId={chat.id} files={message.attachments} />}
      </article>
      <MessageActions chat={chat} message={message} mine />
    </div>
  )
}

/** Who speaks where no role does: a person who edited a plan, or the runtime. */
const unroled = { text: 'Troupe', plan: 'You edited the plan', question: 'Troupe asks' } as const

function AssistantMessage({ chat, message, children }: { chat: ChatView; message: Spoken; children?: ReactNode }) {
  const prose = withoutMarks(message.type === 'text' ? message.text : message.prose)
  return (
    <article className="group flex flex-col gap-1.5">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
        {message.role === null ? <span className="font-semibold">{unroled[message.type]}</span> : <RoleBadge id={message.role} />}
        <Moment at={message.at} />
        {message.model !== null && <span className="truncate">{message.model}</span>}
        {message.usage !== null && message.usage.input_tokens + message.usage.output_tokens > 0 && (
          <span>
            <Tokens usage={message.usage} /> · <Money spent={message.usage} />
          </span>
        )}
        {marksIn(message.text) !== '' && <span className="font-medium text-ink">{marksIn(message.text)}</span>}
        {message.type === 'text' && message.stopped && <Badge tone="warn">stopped here</Badge>}
        {message.from === 'assistant' && message.role !== null && <MessageActions chat={chat} message={message} mine={false} />}
      </header>
      {prose !== '' && <Markdown text={prose} />}
      {message.type === 'text' && message.text === '' && <p className="text-soft italic">The model sent an empty answer.</p>}
      {message.type === 'text' && message.cut !== undefined && <p className="text-xs text-warn">{cutTexts[message.cut]}</p>}
      {message.type === 'text' && message.unparsed !== null && <WhyText reason={message.unparsed} />}
      {children}
    </article>
  )
}

/** Why something that looked like a plan or a question is only text, for the curious. */
function WhyText({ reason }: { reason: string }) {
  return (
    <details className="text-xs text-soft">
      <summary className="w-fit cursor-pointer">Shown as text: why?</summary>
      <p className="mt-1 rounded-md bg-raised p-2 font-mono whitespace-pre-wrap">{reason}</p>
    </details>
  )
}

/** From here on the model sees a summary, or no old outputs; a reader may look at what it was told. */
function Compaction({ text }: { text: string }) {
  return (
    <details className="text-xs text-soft">
      <summary className="cursor-pointer text-center">The model goes on from a shorter text from here</summary>
      <p className="mt-1 rounded-md bg-raised p-2 whitespace-pre-wrap">{text}</p>
    </details>
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

/** Files were put back: how many, and which on demand. */
function GoneBack({ message }: { message: Extract<ChatMessage, { type: 'undo' }> }) {
  const files = Array.isArray(message.details.files) ? message.details.files.map(String) : []
  return (
    <details className="text-center text-xs text-soft">
      <summary className="cursor-pointer">
        <Undo2 size={14} className="mr-1 inline" aria-hidden />
        You undid changes: {counted(files.length, 'file')} put back · <Moment at={message.at} />
      </summary>
      <p className="mt-1 font-mono break-all">{files.join(', ')}</p>
    </details>
  )
}

/** A stop was wanted, so it is told quietly; anything else went wrong. */
function ErrorLine({ message }: { message: Extract<ChatMessage, { type: 'error' }> }) {
  if (message.details.code === 'stopped') return <p className="text-center text-xs text-soft">{message.text}</p>
  return (
    <p className="flex items-start gap-2 rounded-lg border border-danger/40 bg-danger-wash px-3 py-2 text-danger">
      <CircleAlert size={16} className="mt-0.5 shrink-0" aria-label="Problem" />
      <span className="min-w-0">{message.text}</span>
    </p>
  )
}
