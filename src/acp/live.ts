import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { cutTexts } from '../domain/entry.ts'
import { handingOver } from '../domain/chat.ts'
import type { RunEvent } from '../domain/event.ts'
import { heldText } from './held-text.ts'
import { planUpdate } from './plan.ts'
import { endedCall, lastOf, shownCall, textContent } from './tool-call.ts'

/** Output is sent as the whole of its end each time, so not for every line. */
const OUTPUT_EVERY_MS = 150

type Send = (update: SessionUpdate) => void

/** Tells an editor what happens in a session's runs. Agents that were delegated to show by their calls alone. */
export function liveUpdates(sessionId: string, workspace: string, send: Send): (event: RunEvent) => void {
  const words = wordUpdates(send)
  const calls = callUpdates(sessionId, workspace, send)
  return (event) => {
    if (event.thread_id === sessionId) words(event)
    calls(event)
  }
}

/** What the agent says and thinks. A reply that follows another begins a paragraph. */
function wordUpdates(send: Send): (event: RunEvent) => void {
  let before: 'nothing' | 'reply' | 'words' = 'nothing'
  const said = heldText((text) => {
    send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: before === 'reply' ? `\n\n${text}` : text } })
    before = 'words'
  })
  return (event) => {
    if (event.type === 'delta') return said.add(event.text)
    if (event.type === 'message') return event.cut === undefined ? undefined : said.add(`\n\n${cutTexts[event.cut]}`)
    // Only what comes after a reply tells whether it was a plan or a question.
    if (event.type === 'plan' || event.type === 'question') said.drop()
    else said.flush()
    if (before === 'words') before = 'reply'
    if (event.type === 'thought') send(thought(event.text))
    if (event.type === 'notice' || event.type === 'error') send(thought(`${event.message}\n`))
    if (event.type === 'plan') send(planUpdate(event.plan, []))
  }
}

function thought(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } }
}

/** What is done, by this agent and by those it delegated to. Plans and questions that a tool handed over show as what they are. */
function callUpdates(sessionId: string, workspace: string, send: Send): (event: RunEvent) => void {
  const printed = new Map<string, { text: string; sent_at: number }>()

  return (event) => {
    if (event.type === 'tool_output') return sendOutput(callId(event), event.text)
    if ((event.type !== 'tool_use' && event.type !== 'tool_result') || handingOver.includes(event.tool)) return
    const id = callId(event)
    if (event.type === 'tool_use') return send({ sessionUpdate: 'tool_call', ...shownCall(id, event.tool, event.input, workspace) })
    printed.delete(id)
    send({ sessionUpdate: 'tool_call_update', ...endedCall(id, event.outcome, event.output, event.details, workspace) })
  }

  function sendOutput(id: string, text: string): void {
    const was = printed.get(id) ?? { text: '', sent_at: 0 }
    const now = { text: lastOf(was.text + text), sent_at: was.sent_at }
    printed.set(id, now)
    if (Date.now() - was.sent_at < OUTPUT_EVERY_MS) return
    now.sent_at = Date.now()
    send({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'in_progress', content: [textContent(now.text)] })
  }

  /** Two agents may give their calls the same id. */
  function callId({ thread_id, run_id, call_id }: { thread_id: string; run_id: string; call_id: string }): string {
    return thread_id === sessionId ? call_id : `${run_id}/${call_id}`
  }
}
