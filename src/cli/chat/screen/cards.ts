import type { Component } from '@earendil-works/pi-tui'
import type { Plan } from '../../../domain/plan.ts'
import type { Question } from '../../../domain/question.ts'
import { isRecord } from '../../../domain/text/unknown-value.ts'
import { inLine, paint, shown } from '../../terminal.ts'
import { card, markdownLines, wrapped } from './blocks.ts'
import { diffLines } from './diff-lines.ts'

/** A plan to read before it is executed. */
export function planCard({ version, status, content }: Plan): Component {
  const steps = content.steps.map(({ step_number, action, reason }) => {
    const why = reason === '' ? '' : ` — *${oneLine(reason)}*`
    return `${step_number}. ${oneLine(action)}${why}`
  })
  const risks = content.risks.map((risk) => `- **risk** ${oneLine(risk)}`)
  return card('blue', (width) => [
    ...wrapped(`${paint('bold', `Plan ${version} (${status}):`)} ${inLine(content.goal)}`, width),
    '',
    ...markdownLines([...steps, ...(risks.length > 0 ? ['', ...risks] : [])].join('\n'), width),
  ])
}

/** A question with its numbered options; the default is marked unless the question is critical. */
export function questionCard({ content, approval }: Question): Component {
  const style = content.severity === 'critical' ? 'red' : content.severity === 'major' ? 'yellow' : 'cyan'
  const heading = content.severity === 'minor' ? 'Question:' : `${content.severity} question:`
  const options = content.options.map(({ label, value, description }, at) => {
    const marked = value === content.default && content.severity !== 'critical' ? paint('dim', ' (suggested)') : ''
    return `${at + 1}. ${inLine(label)}${marked}${description === '' ? '' : paint('dim', `: ${inLine(description)}`)}`
  })
  return card(style, (width) => [
    ...wrapped(`${paint(style, heading)} ${paint('bold', shown(content.question))}`, width),
    ...(content.context === '' ? [] : ['', ...contextLines(content.context, approval !== null, width)]),
    '',
    ...options.flatMap((option) => wrapped(option, width)),
  ])
}

/** What somebody approves reads as it would run, letter by letter; what a model explains is Markdown. */
function contextLines(context: string, isCall: boolean, width: number): string[] {
  if (!isCall) return markdownLines(context, width)
  const [why = '', ...rest] = context.split('\n\n')
  return [...wrapped(shown(why), width), '', ...callLines(rest.join('\n\n')).flatMap((line) => wrapped(line, width))]
}

/** The arguments of a call each on a line of its own, or the change it would make. */
function callLines(text: string): string[] {
  const input = parsed(text)
  if (!isRecord(input)) return diffLines(text)
  return Object.entries(input).map(([name, value]) => `${paint('dim', `${shown(name)}:`)} ${shown(plain(value))}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a difference, or arguments too long to be shown whole
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
