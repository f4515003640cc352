import { type Board, boardKey } from '../../../domain/board/board.ts'
import { taskFlow } from '../../../domain/board/task-flow.ts'
import type { TaskEntry, TaskPlan } from '../../../domain/board/task.ts'
import { isFinal } from '../../../domain/flow.ts'
import type { PromptParts } from '../../../roles/prompt.ts'
import type { Driver } from '../../../store/driver.ts'
import { boardRecords, boards, tasks } from '../../../store/tables.ts'
import { recordActivity } from '../../activity.ts'
import { PLANNING, threadName } from '../../agent/runs-of.ts'
import type { BoardWorkspace } from '../../context.ts'
import { boardOf } from '../../find.ts'
import { readSpec } from '../../goal/spec.ts'
import { integrationNow } from '../../goal/take-in.ts'
import { recordsOf, fingerprint } from '../../records.ts'
import type { Worked } from '../coder/coder.ts'
import type { TeamMember } from '../member.ts'
import { inPrompt } from '../task-text.ts'
import { workOnAssignment, type AssignmentContext } from '../work-on-assignment.ts'
import { isWakeAlive, openCauses, wakeId, type PlannerCause, type Trigger } from './causes.ts'

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

const SPEC_CHARS = 16_000
const TASKS_SHOWN = 200

/** What the board adds to the Planner's own prompt: here it plans tasks instead of steps. */
const duties = [
  'On the board you do not submit a plan as JSON: you add tasks with your tools. A person approves them before anyone starts.',
  'Each task cites a spec section, has a falsifiable done_when that names what can be observed, and a scope with IN and OUT by function, not by file. State dependencies; prefer wide graphs to deep ones, and small tasks.',
  'A code task includes its tests; never make a task of tests alone. Without a spec there is no task: log a spec_gap instead.',
  'Log when it happens, before you act on it: spec_gap, hypothesis_exhaustion, and system_ambiguity where these instructions are unclear: never interpret them silently, checkpoint if you cannot continue without an answer.',
  'You claim nothing and write no code. Replacing, dropping or unblocking a task states what failed and why; one action for each task.',
].join('\n')

const instructions: Record<Trigger, string> = {
  INITIAL_PLANNING: 'Read the goal and its spec, then add_task and finalize_task the smallest set of tasks that reaches it.',
  BLOCKED_TASK:
    'Answer the questions with unblock_task when the spec or the code holds the answer; else redefine or split it with supersede_task, or abandon_task. When only a person can answer, leave it blocked and say so.',
  HYPOTHESIS_EXHAUSTED:
    'Two coders failed, so the framing is presumed wrong. log_anomaly hypothesis_exhaustion, then supersede_task, unblock_task with changes, or abandon_task; it cannot go back as it is.',
  INTEGRATION_FAILED:
    'Approved work could not be merged. A coder takes it up and repairs it by itself; do something only when it needs another task.',
  IMMEDIATE_DISCOVERY: 'Make a task of it (add_task, finalize_task, settle_discovery), or settle_discovery with a reason.',
  SYSTEM_AMBIGUITY:
    'Another agent found its instructions unclear. Say in the tasks what holds for them where the spec settles it; checkpoint where only a person can.',
  UNFINISHED_DRAFTS: 'Complete each draft with edit_task and finalize_task, or abandon_task it.',
}

/** The sections of a planner's prompt for what has woken it. */
export async function plannerText(
  context: BoardWorkspace,
  board: Board,
  agent: string,
  cause: PlannerCause,
  others: readonly PlannerCause[],
): Promise<NonNullable<PromptParts['sections']>> {
  return {
    board: `You are ${agent}.\n${duties}`,
    task: [
      `GOAL: ${board.goal.description}`,
      `WAKE TRIGGER: ${cause.trigger}${cause.task === null ? '' : ` ${cause.task}`}: ${cause.about}`,
      instructions[cause.trigger],
      others.length === 0 ? '' : `ALSO WAITING: ${others.map(({ trigger, task, about }) => `${trigger} ${task ?? about}`).join('; ')}`,
      await goalSpec(context, board),
      await causeText(context, cause),
      await boardText(context),
      await notesText(context),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  }
}

async function goalSpec(board: BoardWorkspace, { goal }: Board): Promise<string> {
  const spec = await readSpec(board.repository, await integrationNow(board), goal.spec_ref)
  if (spec === null) return 'SPEC: none was named; look for one in the repository.'
  return `SPEC ${goal.spec_ref}:\n${inPrompt(spec, SPEC_CHARS)}`
}

/** The task that woke the planner, with everything that was said about it. */
async function causeText(board: BoardWorkspace, { task }: PlannerCause): Promise<string> {
  if (task === null) return ''
  const found = await tasks.find(board.driver, boardKey({ board_id: board.board_id, id: task }))
  if (found === null) return ''
  const { item } = found
  const anomalies = await recordsOf(board, 'anomaly', task)
  return [
    `${item.id} (${item.status}, iteration ${item.iteration ?? 0}, failed by ${item.failed_by.join(', ') || 'nobody'}): ${item.description}`,
    `done_when: ${item.done_when}`,
    `scope: ${item.scope}`,
    `spec_ref: ${item.spec_ref}`,
    ...(item.blocked_reason === null ? [] : [`blocked_reason: ${item.blocked_reason}`]),
    ...item.blocked_questions.map((question) => `blocked_question: ${question}`),
    ...item.attempted.map((attempt) => `attempted: ${attempt}`),
    ...(item.rejection_reason === null ? [] : [`last rejection: ${item.rejection_reason}`]),
    ...(item.integration_output === null ? [] : [`integration: ${item.integration_output.slice(-3_000)}`]),
    ...anomalies.map(({ type, reporter, details }) => `anomaly ${type} by ${reporter}: ${JSON.stringify(details)}`),
  ].join('\n')
}

async function boardText({ driver, board_id }: BoardWorkspace): Promise<string> {
  const listed = await tasks.items(driver, { where: { board_id }, order: ['number'] })
  if (listed.length === 0) return 'TASKS: none yet.'
  const open = listed.filter(({ status }) => !isFinal(taskFlow, status))
  const shown = open.slice(0, TASKS_SHOWN).map(taskLine)
  const done = listed.length - open.length
  return [`TASKS: ${listed.length}, of which ${done} are over.`, ...shown].join('\n')
}

function taskLine({ id, status, priority, depends_on, description }: TaskEntry & TaskPlan): string {
  const after = depends_on.length === 0 ? '' : ` after ${depends_on.join(', ')}`
  return `- ${id} ${status} priority ${priority}${after}: ${description.split('\n')[0]}`
}

async function notesText(board: BoardWorkspace): Promise<string> {
  const notes = await recordsOf(board, 'human_note')
  return notes.length === 0 ? '' : ['NOTES:', ...notes.map(({ task, message }) => `- ${task ?? 'everyone'}: ${message}`)].join('\n')
}
