import { relative } from 'node:path'
import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { createTwoFilesPatch } from 'diff'
import type { ModelWatch, OwnCall } from '../../providers/provider.ts'
import { shorten } from '../../domain/text/format.ts'
import type { AgentSession } from './session.ts'

const OUTPUT_CHARS = 20_000
const DIFF_MS = 2_000

type CallState = Partial<Omit<ToolCallUpdate, 'sessionUpdate'>> & { begun: boolean }

/** Tells of what an outside agent says, thinks and does as of one of our own. */
export function toldUpdates(workspace: string, name: string, watch: ModelWatch) {
  let text = ''
  let message: string | null | undefined
  const calls = toldCalls(workspace, name, watch, () => (text = '')) // what was said before a call is stored with it

  function say(words: string, id: string | null | undefined): void {
    const gap = text !== '' && id !== undefined && id !== message ? '\n\n' : ''
    message = id
    text += gap + words
    watch.onText?.(gap + words)
  }

  return {
    text: () => text,
    async tell(update: SessionUpdate, session: AgentSession): Promise<void> {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') say(update.content.text, update.messageId)
      if (update.sessionUpdate === 'agent_thought_chunk' && update.content.type === 'text') watch.onThought?.(update.content.text)
      if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') await calls.tell(update)
      if (update.sessionUpdate === 'plan') watch.onThought?.(`${planLines(update.entries)}\n`)
      if (update.sessionUpdate !== 'usage_update') return
      session.context = { used: update.used, size: update.size }
      if (update.cost?.currency === 'USD') session.spent = Math.round(update.cost.amount * 1_000_000)
    },
    end: calls.end,
  }
}

function toldCalls(workspace: string, name: string, watch: ModelWatch, onBegin: () => void) {
  const calls = new Map<string, CallState>()

  async function tell(update: ToolCallUpdate): Promise<void> {
    const id = update.toolCallId
    const was = calls.get(id) ?? { begun: false }
    const now: CallState = { ...was, ...definedFields(update), begun: true }
    calls.set(id, now)
    if (!was.begun) {
      onBegin()
      await watch.own?.begin(ownCall(name, id, now))
    }
    if (now.status !== 'completed' && now.status !== 'failed') {
      const words = textIn(update.content ?? [])
      if (words !== '') watch.own?.output(id, words)
      return
    }
    calls.delete(id)
    const outcome = now.status === 'completed' ? 'ok' : 'error'
    await watch.own?.end(id, { outcome, output: outputOf(now), details: detailsOf(now, workspace) })
  }

  /** Closes the calls that nobody will end any more. */
  async function end(outcome: 'interrupted'): Promise<void> {
    for (const [id, state] of calls) await watch.own?.end(id, { outcome, output: outputOf(state), details: {} })
    calls.clear()
  }

  return { tell, end }
}

function definedFields(update: ToolCallUpdate): Partial<ToolCallUpdate> {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined))
}

/** Named after the agent, so that none of our own tools is taken for what it did. */
function ownCall(name: string, id: string, { title, kind, rawInput, locations }: CallState): OwnCall {
  const path = locations?.[0]?.path
  const input = {
    ...(title && { title: shorten(title, 500) }),
    ...(path !== undefined && { path }),
    ...(rawInput !== undefined && { input: rawInput }),
  }
  return { id, tool: `${name}.${kind ?? 'other'}`, input }
}

function outputOf({ content, rawOutput }: CallState): string {
  const words = textIn(content ?? [])
  const all = words !== '' || rawOutput === undefined ? words : typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput)
  return all.length <= OUTPUT_CHARS ? all : `…${all.slice(-OUTPUT_CHARS)}`
}

function textIn(content: readonly ToolCallContent[]): string {
  return content.flatMap((part) => (part.type === 'content' && part.content.type === 'text' ? [part.content.text] : [])).join('\n')
}

function detailsOf({ content }: CallState, workspace: string): Record<string, unknown> {
  const diffs = (content ?? []).flatMap((part) => (part.type === 'diff' ? [part] : []))
  const [first] = diffs
  if (first === undefined) return {}
  const patches = diffs.map(({ path, oldText, newText }) => {
    const shown = relative(workspace, path)
    return createTwoFilesPatch(oldText == null ? '/dev/null' : shown, shown, oldText ?? '', newText, '', '', { timeout: DIFF_MS }) ?? ''
  })
  return { path: relative(workspace, first.path), diff: patches.join('\n') }
}

function planLines(entries: readonly { content: string; status: string }[]): string {
  const marks: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[>]' }
  return ['Plan:', ...entries.map(({ content, status }) => `- ${marks[status] ?? '[ ]'} ${content}`)].join('\n')
}
