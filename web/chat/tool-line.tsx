import type { ChatView } from './chat-view.ts'
import { CallLine } from '../trace/call-line.tsx'
import type { ToolCall, ToolResult } from '../trace/folded-calls.ts'
import { NestedTrace } from '../trace/nested-trace.tsx'
import { TraceRow } from '../trace/trace-row.tsx'
import { QuestionCard } from './question-card.tsx'
import { Pictures } from './said-text.tsx'

/** A tool call in a chat: its line, what it started, and the approval it waits for. */
export function ToolLine({ chat, call, result }: { chat: ChatView; call: ToolCall | null; result: ToolResult | null }) {
  const callId = call?.call_id ?? result?.call_id
  const started = chat.delegated.find(({ call_id }) => call_id === callId)
  const asked = chat.questions.find(({ id, approval }) => approval?.call_id === callId || id === result?.details.question_id)
  return (
    <CallLine runId={chat.run?.id} call={call} result={result} atWork={chat.running} role={call?.role ?? result?.role}>
      {result?.attachments !== undefined && <Pictures chatId={chat.id} files={result.attachments} />}
      {started !== undefined && <NestedTrace {...started} Row={TraceRow} />}
      {asked && <QuestionCard chat={chat} questionId={asked.id} />}
    </CallLine>
  )
}
