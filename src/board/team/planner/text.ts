import { boardKey, type Board } from '../../../domain/board/board.ts'
import { isFinal } from '../../../domain/flow.ts'
import { taskFlow } from '../../../domain/board/task-flow.ts'
import type { TaskEntry, TaskPlan } from '../../../domain/board/task.ts'
import type { PromptParts } from '../../../roles/prompt.ts'
import { tasks } from '../../../store/tables.ts'
import type { BoardWorkspace } from '../../desk.ts'
import { recordsOf } from '../../records.ts'
import { readSpec } from '../../goal/spec.ts'
import { integrationNow } from '../../goal/take-in.ts'
import type { PlannerCause, Trigger } from './causes.ts'
import { inPrompt } from '../task-text.ts'

const SPEC_CHARS = 16_000
const TASKS_SHOWN = 200

/** What the board adds to the Planner's own prompt: here it plans tasks instead of steps. */
const duties = [
  'On the board you hand over no plan as JSON: you put tasks on it with your tools. A person approves them before anyone begins.',
  'Each task cites a spec section, has a falsifiable done_when that names what can be observed, and a scope with IN and OUT by function, not by file. State dependencies; prefer wide graphs to deep ones, and small tasks.',
  'A code task includes its tests; never make a task of tests alone. Without a spec there is no task: log a spec_gap instead.',
  'Log when it happens, before you act on it: spec_gap, hypothesis_exhaustion, and system_ambiguity where these instructions are unclear: never interpret them silently, checkpoint if you cannot go on without an answer.',
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
