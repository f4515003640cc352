import type { Board } from '../../domain/board.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords, boards } from '../../store/tables.ts'
import { sayActivity } from '../activity.ts'
import { recordsOf } from '../records.ts'
import { PLANNING, threadName } from '../runs-of.ts'
import { attend, type Attention } from './attend.ts'
import { isAtWork, openCauses, wakeId, type Cause } from './causes.ts'
import type { Worked } from './coder.ts'
import { fingerprint } from './fingerprint.ts'
import { planText } from './plan-text.ts'
import type { Seat } from './seat.ts'
import { boardOf } from '../find.ts'

const NO_TASK_YET =
  'You stopped, but there is no task on the board. add_task and finalize_task what reaches the goal; where no spec says enough for that, log_anomaly spec_gap with what is missing.'

/** Puts the most urgent cause before a planner. Nothing wakes it twice while nothing about it has changed. */
export async function planNext(seat: Seat): Promise<Worked> {
  const woken = await wakePlanner(seat)
  if (woken === null) return 'nothing'
  const { cause, attention } = woken
  const ended = await attend(seat, attention, seat.signal)
  if (ended !== 'done' && ended !== 'unfinished' && ended !== 'task_budget') return ended
  return (await finishCause(seat, cause)) ? 'worked' : 'no_plan'
}

/** The most urgent cause that nobody is at, taken for this planner. */
export async function wakePlanner(seat: Seat): Promise<{ cause: Cause; attention: Attention } | null> {
  const { desk } = seat.station
  const board = await boardOf(desk)
  const causes = await openCauses(desk.driver, board)
  const [cause] = causes
  if (cause === undefined || !(await takeCause(seat, cause))) return null
  return { cause, attention: attentionTo(seat, board, cause, causes) }
}

/** Of two planners one takes a cause; what a dead one had taken is free again. */
async function takeCause({ station: { desk }, identity }: Seat, cause: Cause): Promise<boolean> {
  const { agent: by, generation } = identity
  const id = wakeId(desk.board_id, cause)
  return desk.driver.transaction(async (tx) => {
    const was = await boardRecords.find(tx, id)
    if (was?.item.kind === 'wake' && (was.item.done !== null || (await isAtWork(tx, was.item)))) return false
    const timestamp = (await tx.now()).toISOString()
    const { trigger, task } = cause
    const taken = { by, generation, trigger, fingerprint: cause.fingerprint, done: null }
    const wake = { id, board_id: desk.board_id, task, timestamp, kind: 'wake' as const, ...taken }
    if (was === null) await boardRecords.add(tx, wake)
    else await boardRecords.replace(tx, was, wake)
    await sayActivity(tx, desk.board_id, { agent: by, action: 'planner_woken', task, detail: `${trigger}: ${cause.about}` })
    return true
  })
}

/**
 * The planner is through with a cause; it wakes nobody again unless something about it changes. False for a plan without a task:
 * that one waits for the next planner, or the goal would lie there for good.
 */
export async function finishCause({ station: { desk }, identity }: Seat, cause: Cause): Promise<boolean> {
  return desk.driver.transaction(async (tx) => {
    const was = await boardRecords.get(tx, wakeId(desk.board_id, cause))
    if (was.item.kind !== 'wake' || was.item.generation !== identity.generation) return true
    if (cause.trigger === 'INITIAL_PLANNING' && (await isPlanless(tx, desk.board_id))) return false
    await boardRecords.replace(tx, was, { ...was.item, done: (await tx.now()).toISOString() })
    await sayActivity(tx, desk.board_id, { agent: identity.agent, action: 'planner_rests', detail: cause.trigger })
    return true
  })
}

/** Neither a task nor a word of what is missing came of it. */
async function owesPlan({ station: { desk }, identity }: Seat): Promise<boolean> {
  if (!(await isPlanless(desk.driver, desk.board_id))) return false
  return !(await recordsOf(desk, 'anomaly')).some(({ reporter }) => reporter === identity.agent)
}

async function isPlanless(driver: Driver, boardId: string): Promise<boolean> {
  const { tasks_added, base_tasks } = (await boards.get(driver, boardId)).item
  return tasks_added === base_tasks
}

/** A planner is through when its run has ended: whether something is to be done about a cause is its own judgement. Only a goal needs a plan. */
function attentionTo(seat: Seat, board: Board, cause: Cause, causes: readonly Cause[]): Attention {
  const { desk } = seat.station
  return {
    site: { desk, identity: seat.identity, task: null, review_commit: null, spec_hash: null },
    workspace: desk.repository.root,
    thread_id: threadName(desk.board_id, PLANNING, seat.identity.agent, `${cause.fingerprint}-${seat.identity.generation}`),
    sections: () => planText(desk, board, seat.identity.agent, cause, causes.slice(1)),
    prompt: cause.trigger === 'INITIAL_PLANNING' ? `Plan the goal: ${cause.about}` : `${cause.trigger}: ${cause.task ?? ''} ${cause.about}`,
    reminder: async () => (cause.trigger === 'INITIAL_PLANNING' && (await owesPlan(seat)) ? NO_TASK_YET : null),
    isDone: async () => false,
    state: async () => fingerprint((await boardOf(desk)).tasks_added),
  }
}
