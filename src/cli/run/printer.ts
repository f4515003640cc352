import { questionsOf } from '../../agent/person/answer.ts'
import { exitCodeOf } from '../../agent/run/end.ts'
import { counted, spentText, shorten } from '../../domain/text/format.ts'
import { finalProse, finalText } from '../../agent/final-text.ts'
import { callTarget } from '../../domain/call-target.ts'
import { cutTexts } from '../../domain/entry.ts'
import type { RunEvent } from '../../domain/event.ts'
import type { Plan } from '../../domain/plan.ts'
import type { Question } from '../../domain/question.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { plans, questions } from '../../store/run-tables.ts'
import { printedPlan } from '../chat/print.ts'
import type { OutputFormat } from './options.ts'
import { resumeCommand } from './runs.ts'
import type { Spinner } from '../spinner.ts'
import { paint, print, printJson, printJsonLine, say, shown, typed } from '../terminal.ts'

/** Prints a run in the form that was asked for: results on stdout, everything else on stderr. */
export function runPrinter(format: OutputFormat, driver: Driver, { wait, rest }: Spinner) {
  let root: string | null = null

  /** Of a delegated run the steps are told, not its beginning and end: a reader waits for one result. */
  function onEvent(event: RunEvent): void {
    const inner = root !== null && event.run_id !== root && ['init', 'result'].includes(event.type)
    if (inner || event.type === 'delta' || event.type === 'thought') return
    rest()
    const line = format === 'stream-json' ? null : progressLine(event)
    if (format === 'stream-json') printJsonLine(event)
    if (line !== null) say(paint('dim', line, process.stderr))
    if (event.type !== 'result') wait(event.type === 'tool_use' ? event.tool : 'thinking')
  }

  async function end(run: Run): Promise<void> {
    const asked = await askedBy(driver, run)
    for (const question of asked) say(`The run needs an answer; give it with: ${answerCommand(run, question, asked)}`)
    if (run.usage.cost_microusd === null) say(`The cost of this run is unknown: there is no price for ${run.model}.`)
    if (run.turns > 0 || run.reason !== 'bad_input') sayEnd(run)
    if (format === 'stream-json') return
    const proposed = await plansOf(driver, run)
    if (format === 'text') return printText(await finalProse(driver, run), proposed, asked)
    printJson(await resultOf(driver, run, proposed, asked))
  }

  return { onEvent, end, rest, follow: (runId: string) => void (root = runId) }
}

/** What a run cost and, where it did not come to its end, how to go on with it. */
function sayEnd(run: Run): void {
  if (run.usage.cost_microusd !== null) say(paint('dim', `${counted(run.turns, 'turn')}, ${spentText(run.usage)}`, process.stderr))
  if (run.status === 'stopped' || run.status === 'failed')
    say(`Continue with: ${resumeCommand({ way: 'run', subject: run.id, status: run.status })}`)
}

/** The plans a run handed in. */
async function plansOf(driver: Driver, run: Run): Promise<Plan[]> {
  const drafts = await plans.items(driver, { where: { thread_id: run.thread_id, status: 'draft' } })
  return drafts.filter(({ created_at }) => created_at >= run.started_at).toSorted((a, b) => a.version - b.version)
}

function progressLine(event: RunEvent): string | null {
  if (event.type === 'init') return `${event.role} on ${event.model} in ${event.workspace} (${event.run_id})`
  if (event.type === 'tool_use') return `→ ${event.tool} ${shortened(callTarget(event.input))}`.trimEnd()
  if (event.type === 'tool_result' && event.outcome !== 'ok') return `  ${event.outcome}: ${shortened(event.output)}`
  if (event.type === 'message' && event.cut !== undefined) return cutTexts[event.cut]
  return event.type === 'error' || event.type === 'notice' ? `troupe: ${event.message}` : null
}

/** Everything a run waits for; its own question first, or what an agent asks that it delegated to. */
async function askedBy(driver: Driver, run: Run): Promise<Question[]> {
  if (run.question_id === null) return []
  const { item } = await questions.get(driver, run.question_id)
  const others = await questionsOf(driver, run, 'pending')
  return [item, ...others.filter(({ id }) => id !== item.id)]
}

/** A plan or question that was written as JSON is not printed a second time. */
function printText(prose: string, proposed: readonly Plan[], asked: readonly Question[]): void {
  if (prose !== '') print(shown(prose))
  for (const plan of proposed) print(printedPlan(plan))
  for (const question of asked) print(`\n${askedText(question)}`)
}

/** A question as somebody reads it who answers with another command. */
export function askedText({ content }: Question): string {
  const options = content.options.map(({ value, label }) => `  ${value}: ${label}`)
  return shown([content.question, content.context, ...options].filter(Boolean).join('\n'))
}

/** What `--answer` takes for a question. */
export function answersTo({ content }: Question): string {
  return content.options.map(({ value }) => typed(value)).join('|')
}

/** A single plan or question is shown by itself; where there are several, all of them are told beside the first. */
async function resultOf(driver: Driver, run: Run, proposed: readonly Plan[], asked: readonly Question[]) {
  const [[plan], [question]] = [proposed, asked]
  const commands = asked.map((each) => ({ question_id: each.id, answer_with: answerCommand(run, each, asked) }))
  return {
    run_id: run.id,
    thread_id: run.thread_id,
    status: run.status,
    reason: run.reason,
    exit_code: exitCodeOf(run),
    text: await finalText(driver, run),
    turns: run.turns,
    usage: run.usage,
    ...(plan && { plan }),
    ...(proposed.length > 1 && { plans: proposed }),
    ...(question && { question, answer_with: answerCommand(run, question, asked) }),
    ...(asked.length > 1 && { questions: asked, answers: commands }),
  }
}

function answerCommand(run: Run, question: Question, asked: readonly Question[]): string {
  const which = asked.length === 1 ? '' : ` --question ${question.id}`
  return `troupe run --resume ${run.id}${which} --answer ${answersTo(question)}`
}

function shortened(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' '), 160)
}
