import { setTimeout as sleep } from 'node:timers/promises'
import type { Board } from '../../domain/board.ts'
import { counted } from '../../domain/counted.ts'
import { tellActivity } from '../activity.ts'
import { takeHandBack } from './hand-back.ts'
import { asPlayedProblem, isQuota, playAssignment, type Assignment, type Played } from './play.ts'
import type { Seat } from './seat.ts'
import { countSilence, tellRefusal } from './troubles.ts'
import { boardOf } from '../find.ts'

/** How a piece of work came to an end. `unfinished`: the agent stopped again and again without handing anything in; `silent`: it hung twice. */
export type Attended = 'done' | 'lost' | 'stopped' | 'over' | 'unfinished' | 'silent' | 'crash_loop' | 'quota' | 'budget' | 'task_budget'

/** What attending to a piece of work has to be told about it. */
export interface Attention extends Assignment {
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
export async function attend(seat: Seat, attention: Attention, signal: AbortSignal): Promise<Attended> {
  let prompt = attention.prompt
  let unchanged = 0
  let silences = 0
  let before = attention.begun ?? (await attention.state())
  for (;;) {
    const { going, decisions } = await whileRunning(seat, signal, (stop) => playOnce(seat, attention, prompt, stop))
    if (await attention.isDone()) return 'done'
    if (signal.aborted) return seat.signal.aborted ? 'stopped' : 'lost'
    const { refused, read } = going === 'held' ? nothingSaid : await takeHandBack(seat.role, attention.site, await going.text())
    if (refused !== null) await tellRefusal(seat, attention.site, refused)
    attention.onHandBack?.(refused)
    if (await attention.isDone()) return 'done'
    // A planner that asked for a checkpoint is told what was decided, also when its run ended before it was stopped.
    if (going === 'held' || (seat.role === 'planner' && (await wasStopped(seat, decisions)))) {
      const onward = await wordOfResume(seat, decisions, signal)
      if (onward === null) return signal.aborted ? 'stopped' : 'over'
      prompt = onward
      continue
    }
    const reminder = await attention.reminder()
    if (reminder === null && going.problem === null && refused === null && read === null) return 'done'
    seat.trouble = refused ?? going.problem?.message ?? 'it ended without handing anything in'
    if (going.problem?.code === 'silence') silences = await countSilence(seat, attention.site, silences + 1)
    const end = silences >= SILENCES ? 'silent' : finalEnd(going)
    if (end !== null) return end
    const after = await attention.state()
    unchanged = after === before ? unchanged + 1 : 0
    before = after
    if (unchanged >= (going.problem === null ? IDLE_ENDS : CRASHES)) return going.problem === null ? 'unfinished' : 'crash_loop'
    prompt = refused ?? read ?? (going.problem === null ? (reminder ?? 'Go on.') : `You were cut off: ${going.problem.message}. Carry on.`)
    if (unchanged > 0 || going.problem !== null) await pause(seat, attention, going, unchanged, signal, refused)
  }
}

async function playOnce(seat: Seat, attention: Attention, prompt: string, stop: AbortSignal): Promise<Pick<Played, 'text' | 'problem'>> {
  try {
    return await playAssignment(seat, attention, prompt, stop)
  } catch (error) {
    return { text: async () => '', problem: asPlayedProblem(error) }
  }
}

/** Ends the run as soon as a person stops the board. Also says how many decisions there were before it, because one may follow at once. */
async function whileRunning<T>(
  seat: Seat,
  signal: AbortSignal,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<{ going: T | 'held'; decisions: number }> {
  const stopping = new AbortController()
  const stopListening = seat.station.bulletin.listen((lines) => {
    if (lines.some(({ action }) => stops.includes(action))) stopping.abort()
  })
  try {
    const board = await boardOf(seat.station.desk)
    const decisions = decisionsOf(board).length
    if (board.signal !== null) return { going: 'held', decisions }
    const done = await work(AbortSignal.any([signal, stopping.signal]))
    return { going: stopping.signal.aborted ? 'held' : done, decisions }
  } finally {
    stopListening()
  }
}

const stops = ['paused', 'checkpoint', 'aborted']

/** Waits while the board is stopped; false when there is nothing to come back for. */
export async function untilResumed(seat: Seat, signal: AbortSignal): Promise<boolean> {
  const { bulletin } = seat.station
  for (;;) {
    const seen = bulletin.seen()
    const board = await boardOf(seat.station.desk)
    if (isOver(board) || signal.aborted) return false
    if (board.signal === null) return true
    await bulletin.wait(seen, LOOK_AGAIN_MS, signal)
  }
}

/** What an agent is told when the board goes on, with what a person decided meanwhile; null when it does not go on. */
async function wordOfResume(seat: Seat, before: number, signal: AbortSignal): Promise<string | null> {
  if (!(await untilResumed(seat, signal))) return null
  const decided = decisionsOf(await boardOf(seat.station.desk))
    .slice(before)
    .map(({ by, decision }) => ` ${by} decided: ${decision}.`)
  return `The board was stopped and goes on now.${decided.join('')} Carry on where you were.`
}

/** Whether the board is stopped, or was and a person has decided already: the line that tells of it may still be on its way. */
async function wasStopped({ station }: Seat, decisionsBefore: number): Promise<boolean> {
  const board = await boardOf(station.desk)
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
function finalEnd({ problem }: Pick<Played, 'problem'>): 'quota' | 'budget' | 'task_budget' | null {
  if (problem === null) return null
  const budget = problem.details['budget'] // absent where only this run had reached a limit of its own
  if (budget !== undefined) return budget === 'task' ? 'task_budget' : 'budget'
  return isQuota(problem) ? 'quota' : null
}

async function pause(
  seat: Seat,
  { site }: Attention,
  { problem }: Pick<Played, 'problem'>,
  unchanged: number,
  signal: AbortSignal,
  refused: string | null,
) {
  const { restart_ms, restart_cap_ms } = seat.station.pace
  const ms = Math.min(restart_ms * 2 ** Math.max(0, unchanged - 1), restart_cap_ms)
  const why = problem === null ? (refused ?? 'it ended without handing anything in') : `${problem.code}: ${problem.message}`
  const detail = `restarted in ${ms} ms, ${counted(unchanged, 'time')} without a change: ${why}`
  await tellActivity(seat.station.desk, { agent: seat.identity.agent, action: 'restarted', task: site.task, detail })
  await sleep(ms, undefined, { signal }).catch(() => undefined) // the caller looks at the signal
}
