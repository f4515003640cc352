import { setTimeout as sleep } from 'node:timers/promises'
import type { Board } from '../../domain/board/board.ts'
import type { BoardAction } from '../../domain/board/event.ts'
import type { Task } from '../../domain/board/task.ts'
import { counted } from '../../domain/text/format.ts'
import type { Driver } from '../../store/driver.ts'
import { logActivity, recordActivity } from '../activity.ts'
import { boardOf, needTask } from '../find.ts'
import { type ToldEvent, tellTask } from '../task/move.ts'
import { takeHandBack } from './hand-back.ts'
import type { TeamMember } from './member.ts'
import type { MoveContext } from './move.ts'
import { asPlayedProblem, isQuota, playAssignment, type Assignment, type PlayedAssignment } from './play.ts'

/** How a piece of work came to an end. `unfinished`: the agent stopped again and again without handing anything in; `silent`: it hung twice. */
export type Attended = 'done' | 'lost' | 'stopped' | 'over' | 'unfinished' | 'silent' | 'crash_loop' | 'quota' | 'budget' | 'task_budget'

/** What attending to a piece of work has to be told about it. */
export interface AssignmentContext extends Assignment {
  prompt: string
  /** Whether the board has moved on: the work was handed in, blocked, handed over. */
  isDone: () => Promise<boolean>
  /** Everything the agent could have changed; equal text means that it changed nothing. */
  state: () => Promise<string>
  /** That state before the first run, where it is known without looking. */
  begun?: string
  /** What it is told when it stops without handing in; null where the end of a run is all there is to it. */
  reminder: () => Promise<string | null>
  /** Told after each run which of the moves it said in words was refused and why, or null. */
  onHandBack?: (refused: string | null) => void
}

/** An agent that fails this often without changing anything is not restarted any more. */
const CRASHES = 5

/** One that ends well and hands nothing in has misunderstood its task. */
const IDLE_ENDS = 3

const nothingSaid = { refused: null, read: null }

/** A task is held by a hanging agent once; whoever has it when it happens again lets it go. */
const SILENCES = 2

/**
 * Has an agent work until the board shows that it is through. A run that ends without it is started again: at once when it
 * changed something, else after a pause that doubles. While the board is stopped nothing runs, and the work stays claimed.
 */
export async function workOnAssignment(member: TeamMember, attention: AssignmentContext, signal: AbortSignal): Promise<Attended> {
  let prompt = attention.prompt
  let unchanged = 0
  let silences = 0
  let before = attention.begun ?? (await attention.state())
  let told: number | null = null // the decisions the agent knows of; a run that was cut off may never have read its prompt
  for (;;) {
    const { going, decisions } = await whileRunning(member, signal, (stop) => playOnce(member, attention, prompt, stop))
    told ??= decisions
    if (await attention.isDone()) return 'done'
    if (signal.aborted) return member.signal.aborted ? 'stopped' : 'lost'
    const { refused, read } = going === 'held' ? nothingSaid : await takeHandBack(member.role, attention.context, await going.text())
    if (refused !== null) await tellRefusal(member, attention.context, refused)
    attention.onHandBack?.(refused)
    if (await attention.isDone()) return 'done'
    // A planner that asked for a checkpoint is told what was decided, also when its run ended before it was stopped.
    if (going === 'held' || (member.role === 'planner' && (await wasStopped(member, told)))) {
      const onward = await wordOfResume(member, told, signal)
      if (onward === null) return signal.aborted ? 'stopped' : 'over'
      prompt = onward
      continue
    }
    told = null
    const reminder = await attention.reminder()
    if (reminder === null && going.problem === null && refused === null && read === null) return 'done'
    member.trouble = refused ?? going.problem?.message ?? 'it ended without handing anything in'
    if (going.problem?.code === 'silence') silences = await countSilence(member, attention.context, silences + 1)
    const end = silences >= SILENCES ? 'silent' : finalEnd(going)
    if (end !== null) return end
    const after = await attention.state()
    unchanged = after === before ? unchanged + 1 : 0
    before = after
    if (unchanged >= (going.problem === null ? IDLE_ENDS : CRASHES)) return going.problem === null ? 'unfinished' : 'crash_loop'
    prompt = refused ?? read ?? (going.problem === null ? (reminder ?? 'Go on.') : `You were cut off: ${going.problem.message}. Carry on.`)
    if (unchanged > 0 || going.problem !== null) await pause(member, attention, going, unchanged, signal, refused)
  }
}

async function playOnce(
  member: TeamMember,
  attention: AssignmentContext,
  prompt: string,
  stop: AbortSignal,
): Promise<Pick<PlayedAssignment, 'text' | 'problem'>> {
  try {
    return await playAssignment(member, attention, prompt, stop)
  } catch (error) {
    return { text: async () => '', problem: asPlayedProblem(error) }
  }
}

/** Ends the run as soon as a person stops the board. Also says how many decisions there were before it, because one may follow at once. */
async function whileRunning<T>(
  member: TeamMember,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<{ going: T | 'held'; decisions: number }> {
  const stopping = new AbortController()
  const stopListening = member.team.feed.listen((lines) => {
    if (lines.some(({ action }) => stops.includes(action))) stopping.abort()
  })
  try {
    const board = await boardOf(member.team.board)
    const decisions = decisionsOf(board).length
    if (board.signal !== null) return { going: 'held', decisions }
    const done = await work(AbortSignal.any([signal, stopping.signal]))
    return { going: stopping.signal.aborted ? 'held' : done, decisions }
  } finally {
    stopListening()
  }
}

const stops: readonly BoardAction[] = ['paused', 'checkpoint', 'aborted']

/** Waits while the board is stopped; false when there is nothing to come back for. */
export async function untilResumed(member: TeamMember, signal: AbortSignal): Promise<boolean> {
  const { feed } = member.team
  for (;;) {
    const seen = feed.seen()
    const board = await boardOf(member.team.board)
    if (isOver(board) || signal.aborted) return false
    if (board.signal === null) return true
    await feed.wait(seen, LOOK_AGAIN_MS, signal)
  }
}

/** What an agent is told when the board goes on, with what a person decided meanwhile; null when it does not go on. */
async function wordOfResume(member: TeamMember, before: number, signal: AbortSignal): Promise<string | null> {
  if (!(await untilResumed(member, signal))) return null
  const decided = decisionsOf(await boardOf(member.team.board))
    .slice(before)
    .map(({ by, decision }) => ` ${by} decided: ${decision}.`)
  return `The board was stopped and has resumed.${decided.join('')} Carry on where you were.`
}

/** Whether the board is stopped, or was and a person has decided already: the line that tells of it may still be on its way. */
async function wasStopped({ team }: TeamMember, decisionsBefore: number): Promise<boolean> {
  const board = await boardOf(team.board)
  return board.signal !== null || decisionsOf(board).length > decisionsBefore
}

function decisionsOf({ sprint }: Board) {
  return sprint.retrospective?.decisions ?? []
}

/** In case the line that says so was missed. */
const LOOK_AGAIN_MS = 1_000

/** Aborted, reached, or sent home by the circuit breaker. */
export function isOver({ signal, goal, circuit_breaker }: Board): boolean {
  return signal?.name === 'ABORT' || goal.status !== 'IN_PROGRESS' || circuit_breaker.current_trigger?.response === 'halt'
}

/** What no restart can mend. */
function finalEnd({ problem }: Pick<PlayedAssignment, 'problem'>): 'quota' | 'budget' | 'task_budget' | null {
  if (problem === null) return null
  const budget = problem.details['budget'] // absent where only this run had reached a limit of its own
  if (budget !== undefined) return budget === 'task' ? 'task_budget' : 'budget'
  return isQuota(problem) ? 'quota' : null
}

async function pause(
  member: TeamMember,
  { context }: AssignmentContext,
  { problem }: Pick<PlayedAssignment, 'problem'>,
  unchanged: number,
  signal: AbortSignal,
  refused: string | null,
) {
  const { restart_ms, restart_cap_ms } = member.team.pace
  const ms = Math.min(restart_ms * 2 ** Math.max(0, unchanged - 1), restart_cap_ms)
  const why = problem === null ? (refused ?? 'it ended without handing anything in') : `${problem.code}: ${problem.message}`
  const detail = `restarted in ${ms} ms, ${counted(unchanged, 'time')} without a change: ${why}`
  await logActivity(member.team.board, { agent: member.identity.agent, action: 'restarted', task: context.task, detail })
  await sleep(ms, undefined, { signal }).catch(() => undefined) // the caller looks at the signal
}

/** A move that an agent said in words and was refused is in the log and in the history of its task: nobody reads its thread. */
export async function tellRefusal(
  { team: { board }, identity: { agent } }: TeamMember,
  { task }: MoveContext,
  detail: string,
): Promise<void> {
  await board.driver.transaction(async (tx) => {
    await recordActivity(tx, board.board_id, { agent, action: 'move_refused', task, detail })
    if (task !== null)
      await addEvent(tx, board.board_id, task, { by: supervising(agent), event: 'move_refused', about: { reason: detail } })
  })
}

/** How often agents have hung at a task since a person or a planner looked at it; without a task, how often this one has. */
export async function countSilence(
  { team: { board }, identity: { agent } }: TeamMember,
  { task }: MoveContext,
  here: number,
): Promise<number> {
  if (task === null) return here
  const { history } = await board.driver.transaction((tx) =>
    addEvent(tx, board.board_id, task, { by: supervising(agent), event: 'agent_silent' }),
  )
  return history.slice(history.findLastIndex(({ event }) => event === 'unblocked') + 1).filter(({ event }) => event === 'agent_silent')
    .length
}

async function addEvent(tx: Driver, boardId: string, taskId: string, told: ToldEvent): Promise<Task> {
  const was = await needTask(tx, boardId, taskId)
  return (await tellTask(tx, was, told)).item
}

function supervising(id: string) {
  return { role: 'supervisor', id } as const
}
