import { callTarget } from '../../domain/call-target.ts'
import type { ToolOutcome } from '../../domain/entry.ts'
import type { RunEvent } from '../../domain/event.ts'
import { Problem } from '../../domain/problem.ts'
import { firstLine } from '../chat/print.ts'
import type { DemoContext } from './context.ts'
import { paint, print, printJsonLine, shown } from '../terminal.ts'

/** Tells a demo as it happens: lines for people, or a JSON object for each thing that was seen. */
export interface Story {
  begin: (world: DemoContext) => void
  scene: (title: string, about: string) => void
  /** Something that was done. */
  step: (text: string) => void
  /** What a tool call of an agent came to. */
  hear: (event: RunEvent) => void
  /** Something Troupe enforces, stated only if it was seen to be so. */
  enforced: (text: string, seen: boolean) => void
  /** The last word, with where to look around unless everything is removed. */
  end: (folder: string, ids: Record<string, string>, page: DemoPage | null) => void
}

/** How the page of a demo is served, and what there is to see on it then. */
export interface DemoPage {
  serve: string
  links: readonly string[]
}

/** A story on the terminal, or as JSON lines. */
export function storyTeller(json: boolean): Story {
  const tell = (data: object, text: string) => (json ? printJsonLine(data) : print(text))
  const asked = new Map<string, unknown>()
  let holds = 0
  return {
    begin: ({ folder, parts }) => {
      const { kind } = parts.sandbox
      const sandbox = kind === 'none' ? 'there is no sandbox on this machine' : `commands run in ${kind}`
      tell(
        { type: 'begin', folder, sandbox: kind },
        `A throw-away project in ${folder}; ${sandbox}. No AI model is asked: the rehearsal plays them.`,
      )
    },
    scene: (title, about) => tell({ type: 'scene', title, about }, `\n${paint('bold', title)}\n${paint('dim', about)}`),
    step: (text) => tell({ type: 'step', text }, `  ${text}`),
    hear: (event) => {
      if (event.type === 'tool_use') asked.set(event.call_id, event.input)
      if (event.type !== 'tool_result') return
      const { tool, outcome, output } = event
      const input = asked.get(event.call_id)
      tell({ type: 'call', tool, input, outcome, output }, callText(event, input))
    },
    enforced: (text, seen) => {
      if (!seen) throw new Problem('internal', `the demo saw something else than it was to show: ${text}`)
      holds += 1
      tell({ type: 'enforced', text }, `  ${paint('green', '▣')} ${text}`)
    },
    end: (folder, ids, page) => {
      const word = `\n${holds} checks passed. Next, in your own project: troupe init`
      const links = page?.links ?? null
      tell({ type: 'end', folder, enforced: holds, ...ids, links }, page === null ? word : `${lookAround(folder, ids, page)}\n${word}`)
    },
  }
}

function lookAround(folder: string, { chat_id, job_id }: Record<string, string>, { serve, links }: DemoPage): string {
  const command = `${folder}/troupe`
  const rows = [
    [`${command} ${serve}`, ['the page; while it serves:', ...links].join('\n    ')],
    [`${command} chat show ${chat_id}`, 'the chat'],
    [`${command} board list`, 'the board'],
    [`${command} job replay ${job_id}`, 'the job again, without a model'],
    [`git -C ${folder}/project log --graph integration`, 'who did, reviewed and merged what'],
    [`rm -r ${folder}`, 'remove all of it'],
  ]
  const lines = rows.map(([line, about]) => `  ${line}\n    ${paint('dim', about ?? '')}`)
  return `\n${paint('bold', 'Look around')}\n${lines.join('\n')}`
}

// oxfmt-ignore
const marks: Record<ToolOutcome, string> = {
  ok:          paint('green', '✓'),
  denied:      paint('yellow', '⊘'),
  waiting:     paint('blue', '…'),
  running:     paint('blue', '…'),
  error:       paint('red', '✗'),
  interrupted: paint('red', '✗'),
}

/** A call in a line; what a tool that only did its work has to say is left out. */
function callText({ tool, outcome, output }: ToolResult, input: unknown): string {
  const call = `  ${marks[outcome]} ${tool} ${shown(callTarget(input))}`.trimEnd()
  return outcome === 'ok' && tool !== 'execute_command' ? call : `${call}: ${firstLine(output)}`
}

/** How a call ended. */
export type ToolResult = Extract<RunEvent, { type: 'tool_result' }>
