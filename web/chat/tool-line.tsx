import { ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { callTarget } from '../../src/domain/call-target.ts'
import type { ChatView } from './chat-view.ts'
import type { ChatMessage } from '../../src/domain/chat.ts'
import { durationText, elapsedText } from '../../src/domain/text/format.ts'
import { withoutTerminalCodes } from '../../src/domain/text/terminal-codes.ts'
import { useLiveOutput } from '../live.ts'
import { useRoles } from '../roles/role-badge.tsx'
import { Badge, type Tone } from '../ui/status/badge.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import { DiffView } from '../ui/diff.tsx'
import { RoleIcon } from '../ui/role/role-icon.tsx'
import { foldedCalls } from './folded-calls.ts'
import { QuestionCard } from './question-card.tsx'
import { Pictures } from './said-text.tsx'

type ToolCall = Extract<ChatMessage, { type: 'tool_call' }>
type ToolResult = Extract<ChatMessage, { type: 'tool_result' }>

const tones: Record<ToolResult['outcome'], Tone> = {
  running: 'accent',
  waiting: 'warn',
  ok: 'good',
  error: 'danger',
  denied: 'danger',
  interrupted: 'warn',
}

/** A tool call folded to one line: name, target, time, result; arguments, output and diff on demand. An open approval is below it. */
export function ToolLine({ chat, call, result }: { chat: ChatView; call: ToolCall | null; result: ToolResult | null }) {
  const tool = call?.tool ?? result?.tool ?? 'tool'
  const outcome = result?.outcome ?? 'running'
  const running = outcome === 'running' && chat.running
  const diff = result === null ? null : diffOf(result.details)
  const asked = chat.questions.find(
    ({ id, approval }) => approval?.call_id === (call?.call_id ?? result?.call_id) || id === result?.details.question_id,
  )
  return (
    <div className="flex flex-col gap-2">
      <details className="group rounded-lg border border-line bg-surface">
        <summary className="flex cursor-pointer list-none items-center gap-2 px-3 py-1.5 text-sm">
          <ChevronRight size={14} className="shrink-0 text-soft transition-transform group-open:rotate-90" aria-hidden />
          <MadeBy role={call?.role ?? result?.role} />
          <code className="shrink-0 font-mono text-xs font-semibold">{tool}</code>
          <span className="min-w-0 flex-1 truncate font-mono text-xs text-soft">{callTarget(call?.input)}</span>
          <span className="shrink-0 text-xs text-soft">
            {running && call !== null && <Elapsed since={call.at} />}
            {result !== null && result.took_ms > 0 && durationText(result.took_ms)}
          </span>
          <Badge tone={tones[outcome]}>{outcome}</Badge>
        </summary>
        <div className="flex flex-col gap-3 border-t border-line p-3">
          {call !== null && <CodeBlock label="Arguments" text={JSON.stringify(call.input, null, 2)} />}
          {diff !== null && outcome !== 'waiting' && <DiffView patch={diff} />}
          {result !== null && result.output !== '' && <CodeBlock label="Answer" text={result.output} />}
          {result?.attachments !== undefined && <Pictures chatId={chat.id} files={result.attachments} />}
        </div>
      </details>
      {call !== null && <DelegatedWork chat={chat} callId={call.call_id} />}
      {running && call !== null && <RunningOutput runId={chat.run?.id} callId={call.call_id} />}
      {asked && <QuestionCard chat={chat} questionId={asked.id} />}
    </div>
  )
}

/** What an agent did that this call started, below the call. */
function DelegatedWork({ chat, callId }: { chat: ChatView; callId: string }) {
  const work = chat.delegated.find(({ call_id }) => call_id === callId)
  if (work === undefined || work.messages.length === 0) return null
  return (
    <div role="group" aria-label={`What ${work.agent_role} did`} className="ml-3 flex flex-col gap-2 border-l-2 border-line pl-3">
      {foldedCalls(work.messages).map(({ message, result }) => (
        <ToolLine
          key={message.id}
          chat={chat}
          call={message.type === 'tool_call' ? message : null}
          result={message.type === 'tool_result' ? message : result}
        />
      ))}
    </div>
  )
}

/** The role that made a call: after a switch its line must not read as another's. */
function MadeBy({ role: id }: { role: string | undefined }) {
  const role = useRoles().get(id ?? '')
  if (id === undefined) return null
  return (
    <span data-role-color={role?.color ?? 'slate'} title={role?.name ?? id} className="flex shrink-0 items-center gap-1 text-xs text-role">
      <RoleIcon role={role} size={12} />
      <span className="max-sm:sr-only">{role?.name ?? id}</span>
    </span>
  )
}

const TICK_MS = 1_000

/** How long a call has been going on, counted while it is looked at. */
function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(ticking)
  }, [])
  return <span className="tabular-nums">{elapsedText(Math.max(0, now - Date.parse(since)))}</span>
}

/** The last lines of what a call prints, while it prints them; afterwards they are part of its answer. */
function RunningOutput({ runId, callId }: { runId: string | undefined; callId: string }) {
  const output = useLiveOutput(runId, callId)
  if (output === '') return null
  return (
    <div
      role="log"
      aria-label="Output so far"
      aria-live="off"
      tabIndex={0}
      className="flex max-h-44 flex-col-reverse overflow-y-auto rounded-lg border border-line bg-raised px-3 py-2"
    >
      <pre className="font-mono text-xs whitespace-pre-wrap text-soft">{withoutTerminalCodes(output).trimEnd()}</pre>
    </div>
  )
}

/** The change a call made or, while it runs, is about to make. */
function diffOf(details: Record<string, unknown>): string | null {
  const previewed = details.previewed
  const planned = typeof previewed === 'object' && previewed !== null && 'diff' in previewed ? previewed.diff : null
  const diff = details.diff ?? planned
  return typeof diff === 'string' && diff !== '' ? diff : null
}
