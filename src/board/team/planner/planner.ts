import type { Board } from '../../../domain/board/board.ts'
import type { Driver } from '../../../store/driver.ts'
import { boardRecords, boards } from '../../../store/tables.ts'
import { recordActivity } from '../../activity.ts'
import { recordsOf } from '../../records.ts'
import { PLANNING, threadName } from '../../agent/runs-of.ts'
import { workOnAssignment, type AssignmentContext } from '../work-on-assignment.ts'
import { isWakeAlive, openCauses, wakeId, type PlannerCause } from './causes.ts'
import type { Worked } from '../coder/coder.ts'
import { fingerprint } from '../fingerprint.ts'
import { plannerText } from './text.ts'
import type { TeamMember } from '../member.ts'
import { boardOf } from '../../find.ts'

const NO_TASK_YET =
  'You stopped, but there is no task on the board. add_task and finalize_task what reaches the goal; where no spec says enough for that, log_anomaly spec_gap with what is missing.'

/** Puts the most urgent cause before a planner. Nothing wakes it twice while nothing about it has changed. */
export async function planNext(member: TeamMember): Promise<Worked> {
  const woken = await wakePlanner(member)
  if (woken === null) return 'nothing'
  const { cause, attention } = woken
  const ended = await workOnAssignment(member, attention, member.signal)
  if (ended !== 'done' && ended !== 'unfinished' && ended !== 'task_budget') return ended
  return (await finishCause(member, cause)) ? 'worked' : 'no_plan'
}

/** The most urgent cause that nobody is at, taken for this planner. */
export async function wakePlanner(member: TeamMember): Promise<{ cause: PlannerCause; attention: AssignmentContext } | null> {
  const { driver } = member.team.board
  const board = await boardOf(member.team.board)
  const causes = await openCauses(driver, board)
  const [cause] = causes
  if (cause === undefined || !(await takeCause(member, cause))) return null
  return { cause, attention: plannerAssignment(member, board, cause, causes) }
}

/** Of two planners one takes a cause; what a dead one had taken is free again. */
async function takeCause({ team: { board }, identity }: TeamMember, cause: PlannerCause): Promise<boolean> {
  const { agent: by, generation } = identity
  const id = wakeId(board.board_id, cause)
  return board.driver.transaction(async (tx) => {
    const was = await boardRecords.find(tx, id)
    if (was?.item.kind === 'wake' && (was.item.done !== null || (await isWakeAlive(tx, was.item)))) return false
    const timestamp = (await tx.now()).toISOString()
    const { trigger, task } = cause
    const taken = { by, generation, trigger, fingerprint: cause.fingerprint, done: null }
    const wake = { id, board_id: board.board_id, task, timestamp, kind: 'wake' as const, ...taken }
    if (was === null) await boardRecords.add(tx, wake)
    else await boardRecords.replace(tx, was, wake)
    await recordActivity(tx, board.board_id, { agent: by, action: 'planner_woken', task, detail: `${trigger}: ${cause.about}` })
    return true
  })
}

/**
 * The planner is through with a cause; it wakes nobody again unless something about it changes. False for a plan without a task:
 * that one waits for the next planner, or the goal would lie there for good.
 */
export async function finishCause({ team: { board }, identity }: TeamMember, cause: PlannerCause): Promise<boolean> {
  return board.driver.transaction(async (tx) => {
    const was = await boardRecords.get(tx, wakeId(board.board_id, cause))
    if (was.item.kind !== 'wake' || was.item.generation !== identity.generation) return true
    if (cause.trigger === 'INITIAL_PLANNING' && (await isPlanless(tx, board.board_id))) return false
    await boardRecords.replace(tx, was, { ...was.item, done: (await tx.now()).toISOString() })
    await recordActivity(tx, board.board_id, { agent: identity.agent, action: 'planner_rests', detail: cause.trigger })
    return true
  })
}

/** Neither a task nor a word of what is missing came of it. */
async function owesPlan({ team: { board }, identity }: TeamMember): Promise<boolean> {
  if (!(await isPlanless(board.driver, board.board_id))) return false
  return !(await recordsOf(board, 'anomaly')).some(({ reporter }) => reporter === identity.agent)
}

async function isPlanless(driver: Driver, boardId: string): Promise<boolean> {
  const { tasks_added, base_tasks } = (await boards.get(driver, boardId)).item
  return tasks_added === base_tasks
}

/** A planner is through when its run has ended: whether something is to be done about a cause is its own judgement. Only a goal needs a plan. */
function plannerAssignment(member: TeamMember, record: Board, cause: PlannerCause, causes: readonly PlannerCause[]): AssignmentContext {
  const { board } = member.team
  return {
    context: { board, identity: member.identity, task: null, review_commit: null, spec_hash: null },
    workspace: board.repository.root,
    thread_id: threadName(board.board_id, PLANNING, member.identity.agent, `${cause.fingerprint}-${member.identity.generation}`),
    sections: () => plannerText(board, record, member.identity.agent, cause, causes.slice(1)),
    prompt: cause.trigger === 'INITIAL_PLANNING' ? `Plan the goal: ${cause.about}` : `${cause.trigger}: ${cause.task ?? ''} ${cause.about}`,
    reminder: async () => (cause.trigger === 'INITIAL_PLANNING' && (await owesPlan(member)) ? NO_TASK_YET : null),
    isDone: async () => false,
    state: async () => fingerprint((await boardOf(board)).tasks_added),
  }
}
