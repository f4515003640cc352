import type { ModelChoice } from '../../agent/agent.ts'
import { errorNote, finalText } from '../../agent/final-text.ts'
import { startRun } from '../../agent/run/start.ts'
import { stopRun } from '../../agent/run/stop.ts'
import { playWatchedRun, silenceText } from '../../agent/run/watched.ts'
import { handingOver } from '../../domain/chat.ts'
import { counted } from '../../domain/text/format.ts'
import { Problem } from '../../domain/problem.ts'
import type { RunEvent } from '../../domain/event.ts'
import type { Run } from '../../domain/run.ts'
import type { PromptParts } from '../../roles/prompt.ts'
import { logActivity } from '../activity.ts'
import { withinBudget } from './budget.ts'
import { handBackForm } from './hand-back.ts'
import { boardTools } from './moves.ts'
import type { MoveContext } from './move.ts'
import type { TeamMember } from './member.ts'

/** What an agent works with: our tools, or a shell of its own. Its prompt names nothing that it lacks. */
export type Reach = 'tools' | 'shell'

/** One piece of work for an agent: where, with which words, and about which task. */
export interface Assignment {
  context: MoveContext
  workspace: string
  thread_id: string
  /** Composed for each run, so that whatever was said meanwhile is in its prompt. */
  sections: (reach: Reach) => Promise<NonNullable<PromptParts['sections']>>
}

/** How a run of an agent ended, seen from outside it. */
export interface PlayedAssignment {
  run: Run
  /** What it said last. */
  text: () => Promise<string>
  /** What went wrong, if anything did. */
  problem: { code: string; message: string; details: Record<string, unknown> } | null
}

/** Plays one run of an agent in its workspace, and writes down what it came to. */
export async function playAssignment(
  member: TeamMember,
  assignment: Assignment,
  prompt: string,
  signal: AbortSignal,
): Promise<PlayedAssignment> {
  const { team, role, identity } = member
  const { context, workspace, thread_id } = assignment
  const model = await team.modelOf(role)
  const outside = model.startsWith('agent/')
  const sections = await assignment.sections(outside ? 'shell' : 'tools')
  let window: number | null = null
  const agent = {
    ...team.agent,
    // An agent of a team has no person beside it and uses the board instead.
    tools: outside ? [] : [...team.agent.tools.filter(({ name }) => !handingOver.includes(name)), ...boardTools(role, context)],
    sections: {
      ...team.agent.sections,
      ...sections,
      ...(outside && { notice: [sections.notice, handBackForm(role)].filter(Boolean).join('\n\n') }),
    },
    approvals: { ...team.agent.approvals, tools: { delete_file: 'allow' as const, ...team.agent.approvals.tools } },
    chosenModelFor: async (run: Run, choice?: ModelChoice) => {
      const performer = await team.agent.chosenModelFor(run, { ...choice, sameKind: true })
      window = performer.provider.contextWindow(performer.model)
      return withinBudget(team, context.task, performer)
    },
    onEvent: (event: RunEvent) => {
      if (event.type === 'message' && window !== null) member.context_percent = percent(event.usage.input_tokens, window)
      team.onRun(identity.agent, context.task, event)
    },
  }
  const held = await startRun(agent, { agent_role: role, model, workspace, prompt, thread_id, limits: team.limits })
  const { silence_ms } = team.pace
  const { run, silent } = await playWatchedRun(agent, held, silence_ms, signal)
  if (run.status === 'waiting') await stopRun(agent.driver, run.id, agent.now())
  await sayEnd(member, context.task, run)
  const problem = silent ? { code: 'silence', message: silenceText(silence_ms), details: {} } : await problemOf(member, run)
  return { run, text: () => finalText(agent.driver, run), problem }
}

/** How full the context of the model is. */
function percent(tokens: number, window: number): number {
  return Math.min(100, Math.round((tokens / window) * 100))
}

async function sayEnd({ team, role, identity }: TeamMember, task: string | null, run: Run): Promise<void> {
  const { id: run_id, turns, usage, status, reason, started_at, ended_at } = run
  const detail = `${role} ${status}${reason === null ? '' : ` (${reason})`} after ${counted(turns, 'turn')}`
  const took_ms = Date.parse(ended_at ?? started_at) - Date.parse(started_at)
  await logActivity(team.board, { agent: identity.agent, action: 'run_ended', task, detail, run_id, turns, usage, took_ms })
}

async function problemOf({ team }: TeamMember, run: Run): Promise<PlayedAssignment['problem']> {
  if (run.status === 'completed') return null
  const note = await errorNote(team.board.driver, run)
  return { code: run.reason ?? run.status, message: note?.text ?? `the run is ${run.status}`, details: note?.details ?? {} }
}

/** Whether a failure means that the account behind a model is empty or throttled: trying again at once only burns time. */
export function isQuota({ code, message }: NonNullable<PlayedAssignment['problem']>): boolean {
  return code.startsWith('provider_') && /\b(429|402)\b|quota|rate.?limit|credit|billing/i.test(message)
}

/** A problem of the process rather than of the run, as the run's end would have told it. */
export function asPlayedProblem(error: unknown): NonNullable<PlayedAssignment['problem']> {
  if (error instanceof Problem) return { code: error.code, message: error.message, details: error.details }
  throw error
}
