import { questionsOf } from '../../agent/person/answer.ts'
import { answersOf, errorNote, finalText } from '../../agent/final-text.ts'
import { stopRun } from '../../agent/run/stop.ts'
import { noUsage, type Usage } from '../../domain/entry.ts'
import { playWatchedRun, silenceText } from '../../agent/run/watched.ts'
import { readExitCommand } from '../../domain/job/exit-command.ts'
import type { ExchangeResult } from '../../domain/job/decide.ts'
import type { StepFailure } from '../../domain/job/history.ts'
import type { Job } from '../../domain/job/job.ts'
import { problems } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { questions, runs } from '../../store/tables.ts'
import type { AgentContext } from '../../agent/agent.ts'
import { exitTool } from './exit-tool.ts'

/** What came of asking an agent: what it amounts to, the raw text, and what it cost. */
export interface ExchangeOutcome {
  exchange: ExchangeResult
  raw: string
  usage: Usage
  took_ms: number
}

/** Plays a run under the job's watch, and tells what it came to. */
export async function playExchange(agent: AgentContext, held: Stored<Run>, job: Job, signal: AbortSignal): Promise<ExchangeOutcome> {
  const started = performance.now()
  const { max_silence_ms } = job.limits
  const { run, silent } = await playWatchedRun(agent, held, max_silence_ms, signal)
  const outcome = await exchangeOutcome(agent.driver, run, agent.now())
  const waited = run.waited_ms - held.item.waited_ms // for a limit of the provider
  const took_ms = Math.max(0, Math.round(performance.now() - started - waited))
  if (!silent || outcome.exchange.type !== 'failed') return { ...outcome, took_ms }
  const failure = { code: 'silence', message: silenceText(max_silence_ms), transient: true }
  return { ...outcome, took_ms, exchange: { type: 'failed', failure } }
}

/** What a run that is over, or waits for somebody who will not come, amounts to. Also for one that another process played. */
export async function exchangeOutcome(driver: Driver, run: Run, now: Date): Promise<ExchangeOutcome> {
  const { exchange, raw } = await readingOf(driver, run, now)
  return { exchange, raw, usage: run.usage, took_ms: timeOf(run) }
}

/** Of a run that another process played its own times are all that is known. */
function timeOf({ started_at, ended_at }: Run): number {
  return ended_at === null ? 0 : Math.max(0, new Date(ended_at).getTime() - new Date(started_at).getTime())
}

/** The answer a person gives in place of an agent. */
export function outcomeByHand(raw: string): ExchangeOutcome {
  return { exchange: exchangeIn(raw), raw, usage: noUsage, took_ms: 0 }
}

/** Reads an answer: a command, or exactly why it is none. */
export function exchangeIn(raw: string): ExchangeResult {
  const reading = readExitCommand(raw)
  return 'command' in reading ? { type: 'command', command: reading.command } : { type: 'invalid', error: reading.error }
}

/** A run nobody plays any more. */
export async function outcomeOfCutOff(driver: Driver, runId: string, now: Date): Promise<ExchangeOutcome> {
  const run = await stopRun(driver, runId, now)
  const failure = { code: 'interrupted', message: 'the process that ran the agent is gone', transient: true }
  return { exchange: { type: 'failed', failure }, raw: await finalText(driver, run), usage: run.usage, took_ms: 0 }
}

async function readingOf(driver: Driver, run: Run, now: Date): Promise<{ exchange: ExchangeResult; raw: string }> {
  if (run.status === 'waiting') return askedNobody(driver, run, now)
  const raw = await finalText(driver, run)
  if (run.status !== 'completed') return { exchange: { type: 'failed', failure: await failureOf(driver, run) }, raw }
  const answer = await wholeAnswer(driver, run, raw)
  return { exchange: exchangeIn(answer), raw: answer }
}

/** A question in a job has nobody to answer it: it is withdrawn here and goes to the Steward. */
async function askedNobody(driver: Driver, run: Run, now: Date): Promise<{ exchange: ExchangeResult; raw: string }> {
  const own = await questionsOf(driver, run, 'pending')
  const delegated = run.question_id === null ? null : await questions.find(driver, run.question_id)
  const asked = own.length > 0 || delegated === null ? own : [delegated.item]
  await stopRun(driver, run.id, now)
  const question = asked.map(({ content }) => content.question).join('\n') || 'it waits for a person'
  return { exchange: { type: 'question', question }, raw: await finalText(driver, run) }
}

/** A call of `exit` counts as writing the command; beside a command in the text both are the answer. */
async function wholeAnswer(driver: Driver, run: Run, text: string): Promise<string> {
  const calls = await answersOf(driver, run, exitTool.name)
  if (calls.length === 0) return text
  const called = calls.map(({ details }) => JSON.stringify(details['exit_command']))
  return ('command' in readExitCommand(text) ? [text, ...called] : called).join('\n')
}

async function failureOf(driver: Driver, run: Run): Promise<StepFailure> {
  const message = (await errorNote(driver, run))?.text ?? `the run ended ${run.status}`
  const code = codeOf(run)
  return { code, message, transient: isTransient(code) }
}

/** A run refused by its budget says which part of it: the tokens, the money, or the time. */
function codeOf({ reason, limits, usage }: Run): string {
  if (reason !== 'budget') return reason ?? 'internal'
  const { max_tokens, max_cost_microusd } = limits
  if (max_tokens !== null && usage.input_tokens + usage.output_tokens >= max_tokens) return 'budget'
  if (max_cost_microusd !== null && (usage.cost_microusd === null || usage.cost_microusd >= max_cost_microusd)) return 'cost'
  return 'timed_out'
}

function isTransient(code: string): boolean {
  if (code === 'timed_out') return true
  return Object.entries(problems).some(([name, { retryable }]) => name === code && (retryable || name === 'stopped'))
}

/** The run of an exchange, if it had one. */
export async function runOf(driver: Driver, runId: string | null): Promise<Run | null> {
  return runId === null ? null : (await runs.get(driver, runId)).item
}
