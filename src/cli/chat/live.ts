import { callTarget } from '../../domain/call-target.ts'
import { handingOver } from '../../domain/chat.ts'
import { cutTexts } from '../../domain/entry.ts'
import type { RunEvent } from '../../domain/event.ts'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'
import { firstLine, saidText, toolLine } from './print.ts'
import type { Spinner } from '../spinner.ts'
import { paint, say, shown } from '../terminal.ts'

/** Shows what a run does as it does it: words as they come, the output of a command behind a bar, one line for each call that is over. */
export function livePrinter(waiting: Spinner): (event: RunEvent) => void {
  const { stdout } = process
  let open: 'thoughts' | 'words' | 'output' | null = null // whose line is not ended yet
  const unheaded = new Map<string, string>() // what a call is, until its output needs the heading
  const asked = new Map<string, unknown>() // what a call was made with, until it is over
  const atWork = new Map<string, string>() // what a line of a run begins with: one that another has started is told by its role
  let held = '' // the beginning of a line that may become a mark of progress
  const endLine = () => {
    if (open !== null) stdout.write(`${saidText(held)}\n`)
    open = null
    held = ''
  }
  const show = (event: RunEvent): void => {
    if (event.type === 'thought') {
      if (open !== 'thoughts') endLine()
      open = 'thoughts'
      return void stdout.write(paint('dim', shown(event.text)))
    }
    if (event.type === 'delta') {
      if (open !== 'words') endLine()
      open = 'words'
      const said = held + event.text
      const line = said.lastIndexOf('\n') + 1
      held = said.startsWith('[', line) ? said.slice(line) : ''
      return void stdout.write(saidText(said.slice(0, said.length - held.length)))
    }
    if (event.type === 'tool_output') {
      if (open !== 'output') endLine()
      stdout.write(unheaded.get(event.call_id) ?? '')
      unheaded.delete(event.call_id)
      stdout.write(barred(shown(withoutTerminalCodes(event.text)), open === null))
      return void (open = event.text.endsWith('\n') ? null : 'output')
    }
    endLine()
    if (event.type === 'init') atWork.set(event.run_id, atWork.size === 0 ? '' : `  ${shown(event.role)}`)
    if (event.type === 'result') atWork.delete(event.run_id)
    if (event.type === 'tool_use') {
      asked.set(event.call_id, event.input)
      unheaded.set(event.call_id, `  ▸ ${event.tool} ${paint('dim', firstLine(callTarget(event.input)))}\n`)
    }
    if (event.type === 'tool_result' && !handingOver.includes(event.tool))
      stdout.write(`${atWork.get(event.run_id) ?? ''}${toolLine(event, asked.get(event.call_id))}\n`)
    sayAside(event)
  }
  return (event) => {
    waiting.rest()
    show(event)
    if (open === null && event.type !== 'result') waiting.wait(event.type === 'tool_use' ? event.tool : 'thinking')
  }
}

/** What a person should know besides what is said and done. */
function sayAside(event: RunEvent): void {
  if (event.type === 'message' && event.cut !== undefined) say(paint('yellow', cutTexts[event.cut], process.stderr))
  if (event.type === 'notice') say(paint('dim', shown(event.message), process.stderr))
  if (event.type === 'error') say(paint('red', shown(event.message), process.stderr))
}

/** Every line of a piece of output behind a bar; its first one only where a line begins. */
function barred(text: string, begins: boolean): string {
  const bar = paint('dim', '  │ ')
  return (begins ? bar : '') + text.replaceAll(/\n(?=[^])/g, `\n${bar}`)
}
