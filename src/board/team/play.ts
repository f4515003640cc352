import { errorNote, finalText } from '../../agent/final-text.ts'
import { startRun } from '../../agent/start.ts'
import { stopRun } from '../../agent/stop.ts'
import { playWatched, silenceText } from '../../agent/watched.ts'
import { handingOver } from '../../domain/chat.ts'
import { counted } from '../../domain/counted.ts'
import { Problem } from '../../domain/problem.ts'
import type { RunEvent } from '../../domain/event.ts'
import type { Run } from '../../domain/run.ts'
import type { PromptParts } from '../../roles/prompt.ts'
import { tellActivity } from '../activity.ts'
import { withinBudget } from './budget.ts'
import { handBackForm } from './hand-back.ts'
import { boardTools } from './moves.ts'
import type { MoveSite } from './move.ts'
import type { Seat } from './seat.ts'

/** What an agent works with: our tools, or a shell of its own. Its prompt names nothing that it lacks. */
export type Reach = 'tools' | 'shell'

/** One piece of work for an agent: where, with which words, and about which task. */
export interface Assignment {
  site: MoveSite
  workspace: string
  thread_id: string
  /** Composed for each run, so that whatever was said meanwhile is in its prompt. */
  sections: (reach: Reach) => Promise<NonNullable<PromptParts['sections']>>
}

/** How a run of an agent ended, seen from outside it. */
export interface Played {
  run: Run
  /** What it said last. */
  text: () => Promise<string>
  /** What went wrong, if anything did. */
  problem: { code: string; message: string; details: Record<string, unknown> } | null
}

/** Plays one run of an agent in its workspace, and writes down what it came to. */
export async function playAssignment(seat: Seat, assignment: Assignment, prompt: string, signal: AbortSignal): Promise<Played> {
  const { station, role, identity } = seat
  const { site, workspace, thread_id } = assignment
  const model = station.modelOf(role)
  const outside = model.startsWith('agent/')
  const sections = await assignment.sections(outside ? 'shell' : 'tools')
  let window: number | null = null
  const agent = {
    ...station.agent,
    // An agent of a team has no person beside it and uses the board instead.
    tools: outside ? [] : [...station.agent.tools.filter(({ name }) => !handingOver.includes(name)), ...boardTools(role, site)],
    sections: {
      ...station.agent.sections,
      ...sections,
      ...(outside && { notice: [sections.notice, handBackForm(role)].filter(Boolean).join('\n\n') }),
    },
    approvals: { ...station.agent.approvals, tools: { delete_file: 'allow' as const, ...station.agent.approvals.tools } },
    performerFor: async (run: Run) => {
      const performer = await station.agent.performerFor(run)
      window = performer.provider.contextWindow(performer.model)
      return withinBudget(station, site.task, performer)
    },
    onEvent: (event: RunEvent) => {
      if (event.type === 'message' && window !== null) seat.context_percent = percent(event.usage.input_tokens, window)
      station.onRun(identity.agent, site.task, event)
    },
  }
  const held = await startRun(agent, { agent_role: role, model, workspace, prompt, thread_id, limits: station.limits })
  const { silence_ms } = station.pace
  const { run, silent } = await playWatched(agent, held, silence_ms, signal)
  if (run.status === 'waiting') await stopRun(agent.driver, run.id, agent.now())
  await sayEnd(seat, site.task, run)
  const problem = silent ? { code: 'silence', message: silenceText(silence_ms), details: {} } : await problemOf(seat, run)
  return { run, text: () => finalText(agent.driver, run), problem }
}

/** How full the context of the model is. */
function percent(tokens: number, window: number): number {
  return Math.min(100, Math.round((tokens / window) * 100))
}

async function sayEnd({ station, role, identity }: Seat, task: string | null, run: Run): Promise<void> {
  const { id: run_id, turns, usage, status, reason, started_at, ended_at } = run
  const detail = `${role} ${status}${reason === null ? '' : ` (${reason})`} after ${counted(turns, 'turn')}`
  const took_ms = Date.parse(ended_at ?? started_at) - Date.parse(started_at)
  await tellActivity(station.desk, { agent: identity.agent, action: 'run_ended', task, detail, run_id, turns, usage, took_ms })
}

async function problemOf({ station }: Seat, run: Run): Promise<Played['problem']> {
  if (run.status === 'completed') return null
  const note = await errorNote(station.desk.driver, run)
  return { code: run.reason ?? run.status, message: note?.text ?? `the run is ${run.status}`, details: note?.details ?? {} }
}

/** Whether a failure means that the account behind a model is empty or throttled: trying again at once only burns time. */
export function isQuota({ code, message }: NonNullable<Played['problem']>): boolean {
  return code.startsWith('provider_') && /\b(429|402)\b|quota|rate.?limit|credit|billing/i.test(message)
}

/** A problem of the process rather than of the run, as the run's end would have told it. */
export function asPlayedProblem(error: unknown): NonNullable<Played['problem']> {
  if (error instanceof Problem) return { code: error.code, message: error.message, details: error.details }
  throw error
}
