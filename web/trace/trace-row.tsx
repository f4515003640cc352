import { ArrowRight, CircleAlert, CircleHelp, ClipboardList, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { counted } from '../../src/domain/text/format.ts'
import { Money, Moment, Tokens } from '../ui/text/figures.tsx'
import { Markdown } from '../ui/text/markdown.tsx'
import { CallLine } from './call-line.tsx'
import type { Line } from './folded-calls.ts'
import { NestedTrace } from './nested-trace.tsx'
import { withoutMarks } from './prose.ts'
import { Thoughts } from './thoughts.tsx'
import type { Trace } from './use-trace.ts'

/** One line of a trace, drawn by what it is. */
export function TraceRow({ trace, line: { message, result } }: { trace: Trace; line: Line }) {
  switch (message.type) {
    case 'tool_call':
      return <Call trace={trace} call={message} result={result} />
    case 'tool_result':
      return <CallLine runId={trace.run_id} call={null} result={message} atWork={trace.status === 'running'} />
    case 'thoughts':
      return <Thoughts text={message.text} />
    case 'text':
      return message.from === 'user' ? <Told message={message} /> : <Said message={message} text={message.text} />
    case 'plan':
      return (
        <Handed
          message={message}
          icon={<ClipboardList size={14} aria-hidden />}
          what="Proposed a plan"
          about={trace.asked[message.plan_id]}
        />
      )
    case 'question':
      return <Handed message={message} icon={<CircleHelp size={14} aria-hidden />} what="Asked" about={trace.asked[message.question_id]} />
    case 'role_change':
      return <Happened icon={<ArrowRight size={14} aria-hidden />}>The role was switched</Happened>
    case 'compaction':
      return <Happened icon={<MessageSquareText size={14} aria-hidden />}>Went on from a shorter text</Happened>
    case 'undo':
      return <Happened icon={<ArrowRight size={14} aria-hidden />}>Changes were undone</Happened>
    case 'error':
      return (
        <p className="flex gap-2 text-sm text-danger">
          <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
          <span className="[overflow-wrap:anywhere]">{message.text}</span>
        </p>
      )
  }
}

type Spoken = Extract<ChatMessage, { type: 'text' | 'plan' | 'question' }>

function Call({ trace, call, result }: { trace: Trace; call: Extract<ChatMessage, { type: 'tool_call' }>; result: Line['result'] }) {
  const child = trace.delegated.find(({ call_id }) => call_id === call.call_id)
  const shortened = trace.shortened.includes(call.id) || (result !== null && trace.shortened.includes(result.id))
  return (
    <CallLine runId={trace.run_id} call={call} result={result} atWork={trace.status === 'running'} shortened={shortened}>
      {child !== undefined && <NestedTrace {...child} Row={TraceRow} />}
    </CallLine>
  )
}

/** What the agent was asked to do: long, and the same again and again, so folded. */
function Told({ message }: { message: Spoken }) {
  const [first = '', ...rest] = message.text.trim().split('\n')
  return (
    <details className="rounded-lg bg-accent-wash px-3 py-2 text-sm">
      <summary className="cursor-pointer [overflow-wrap:anywhere] marker:text-soft">
        <span className="sr-only">It was told: </span>
        {first.slice(0, 200)}
        {rest.length > 0 && <span className="text-soft"> … {counted(rest.length, 'more line')}</span>}
      </summary>
      <p className="mt-2 max-h-96 overflow-y-auto whitespace-pre-wrap">{message.text}</p>
    </details>
  )
}

function Said({ message, text }: { message: Spoken; text: string }) {
  const prose = withoutMarks(text)
  return (
    <div className="flex flex-col gap-0.5">
      {prose !== '' && <Markdown text={prose} />}
      <Spent message={message} />
    </div>
  )
}

/** What one request to the model cost, in the margin of its words. */
function Spent({ message: { usage, at } }: { message: Spoken }) {
  if (usage === null || usage.input_tokens + usage.output_tokens === 0) return null
  return (
    <p className="text-xs text-soft">
      <Moment at={at} /> · <Tokens usage={usage} /> · <Money spent={usage} />
    </p>
  )
}

function Handed({ message, icon, what, about = '' }: { message: Spoken; icon: ReactNode; what: string; about: string | undefined }) {
  return (
    <div className="flex flex-col gap-1">
      {message.type !== 'text' && message.prose.trim() !== '' && <Markdown text={withoutMarks(message.prose)} />}
      <p className="flex items-start gap-2 text-sm">
        <span className="mt-0.5 text-soft">{icon}</span>
        <span>
          <span className="font-medium">{what}</span> {about}
        </span>
      </p>
      <Spent message={message} />
    </div>
  )
}

function Happened({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <p className="flex items-center gap-2 text-xs text-soft">
      {icon} {children}
    </p>
  )
}
