import type { Component } from '@earendil-works/pi-tui'
import { handingOver } from '../../../domain/chat.ts'
import { cutTexts } from '../../../domain/entry.ts'
import type { RunEvent } from '../../../domain/event.ts'
import { paint, shown } from '../../terminal.ts'
import { textBlock } from './blocks.ts'
import { newCall, type CallBlock } from './call-block.ts'
import { newReply, type Reply } from './reply.ts'

/** Where what happens is shown, and what is known of it only in the store. */
export interface LiveScreen {
  add(block: Component): void
  await(what: string): void
  draw(): void
  /** What a call that is over has changed, if anything. */
  diffOf(event: Extract<RunEvent, { type: 'tool_result' }>): Promise<string | null>
  /** Something was said or used that the line at the foot tells. */
  refresh(): void
}

const changing = ['update_file', 'create_file', 'delete_file']

/** Shows what a run does as it does it: words as they come, the end of what commands print, what was changed. */
export function liveBlocks(screen: LiveScreen): (event: RunEvent) => void {
  const calls = new Map<string, CallBlock>()
  const hear = hearing(screen, calls)
  return (event) => {
    hear[event.type]?.(event as never) // the table has for each type the function that takes it
    const awaited = awaitedAfter(event, calls.size)
    if (awaited !== null) screen.await(awaited)
    screen.draw()
  }
}

type Hearing = { [Type in RunEvent['type']]?: (event: Extract<RunEvent, { type: Type }>) => void }

/** What each event does to the screen. */
function hearing(screen: LiveScreen, calls: Map<string, CallBlock>): Hearing {
  const atWork = new Map<string, string>() // how a line of a run begins: one that another run has started is told by its role
  let reply: Reply | null = null
  let main: string | null = null // the run a person talks to; what others say is theirs
  const endReply = () => {
    reply?.end()
    reply = null
  }
  const say = (text: string) => {
    if (text === '') return
    if (reply === null) screen.add((reply = newReply()))
    reply.add(text)
  }
  return {
    init: ({ run_id, role }) => {
      main = atWork.size === 0 ? run_id : main
      atWork.set(run_id, run_id === main ? '' : `  ${shown(role)}`)
      screen.refresh()
    },
    delta: ({ run_id, text }) => say(run_id === main ? text : ''),
    message: ({ run_id, text, cut }) => {
      if (run_id === main) say(text.slice(reply?.length() ?? 0))
      if (cut !== undefined) screen.add(textBlock(paint('yellow', cutTexts[cut])))
      screen.refresh()
    },
    plan: () => reply?.handOver(),
    question: () => reply?.handOver(),
    tool_use: ({ call_id, tool, input, run_id }) => {
      endReply()
      if (handingOver.includes(tool)) return
      const call = newCall(tool, input, atWork.get(run_id) ?? '')
      calls.set(call_id, call)
      screen.add(call)
    },
    tool_output: ({ call_id, text }) => calls.get(call_id)?.print(text),
    tool_result: (event) => {
      const call = calls.get(event.call_id)
      calls.delete(event.call_id)
      call?.end(event)
      if (call !== undefined && event.outcome === 'ok' && changing.includes(event.tool)) void showChange(screen, call, event)
    },
    notice: ({ message }) => screen.add(textBlock(paint('dim', shown(message)))),
    error: ({ message }) => {
      endReply()
      screen.add(textBlock(paint('red', shown(message))))
    },
    result: ({ run_id }) => atWork.delete(run_id) && run_id === main && endReply(),
  }
}

async function showChange(screen: LiveScreen, call: CallBlock, event: Extract<RunEvent, { type: 'tool_result' }>): Promise<void> {
  const diff = await screen.diffOf(event).catch(() => null) // the change is made, whether it can be shown or not
  if (diff !== null) call.changed(diff)
  screen.draw()
}

/** What is waited for once something has happened; null where that is what it was. */
function awaitedAfter(event: RunEvent, running: number): string | null {
  if (event.type === 'tool_use') return event.tool
  if (event.type === 'delta') return 'writing'
  return event.type === 'tool_output' || event.type === 'result' || running > 0 ? null : 'thinking'
}
