import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { cutTexts } from '../domain/entry.ts'
import { handingOver } from '../domain/chat.ts'
import type { RunEvent } from '../domain/event.ts'
import { heldText } from './held-text.ts'
import { planUpdate } from './plan.ts'
import { endedCall, lastOf, startedCall, textContent } from './tool-call.ts'

/** Output is sent as the whole of its end each time, so not for every line. */
const OUTPUT_EVERY_MS = 150

/** Tells an editor what happens in a session's runs. Agents that were delegated to show by their calls alone. */
export function liveUpdates(sessionId: string, workspace: string, send: (update: SessionUpdate) => void) {
  let ended = false // the next words belong to another reply, and begin a paragraph
  let begins = false
  const said = heldText((text) => {
    send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: begins ? `\n\n${text}` : text } })
    begins = false
  })
  const printed = new Map<string, { text: string; sent_at: number }>()

  return (event: RunEvent): void => {
    const isOwn = event.thread_id === sessionId
    if (isOwn && event.type === 'delta' && ended) [begins, ended] = [true, false]
    if (event.type === 'plan' || event.type === 'question') said.drop()
    else if (event.type !== 'delta' && event.type !== 'message') said.flush()
    switch (event.type) {
      case 'delta':
        return isOwn ? said.add(event.text) : undefined
      case 'thought':
        return isOwn ? send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.text } }) : undefined
      case 'message':
        if (isOwn && event.cut !== undefined) said.add(`\n\n${cutTexts[event.cut]}`)
        ended = isOwn
        return
      case 'notice':
      case 'error':
        return send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${event.message}\n` } })
      case 'tool_use':
        if (handingOver.includes(event.tool)) return
        return send({ sessionUpdate: 'tool_call', ...startedCall(callId(event), event.tool, event.input, workspace) })
      case 'tool_output':
        return sendOutput(callId(event), event.text)
      case 'tool_result':
        printed.delete(callId(event))
        if (handingOver.includes(event.tool)) return
        return send({
          sessionUpdate: 'tool_call_update',
          ...endedCall(callId(event), event.outcome, event.output, event.details, workspace),
        })
      case 'plan':
        return send(planUpdate(event.plan, []))
      case 'init':
      case 'question':
      case 'result':
    }
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
