import * as z from 'zod'
import { defineFlow, isFinal } from '../flow.ts'

/** Who moves tasks: the three roles of a team, the process that supervises them, and the person it works for. */
export type TaskActor = z.infer<typeof TaskActor>
export const TaskActor = z.enum(['planner', 'coder', 'code_reviewer', 'supervisor', 'human'])

/** What is said of a state. */
interface TaskStateFacts {
  /** How the page shows it. */
  label: string
  tone: 'neutral' | 'accent' | 'good' | 'warn' | 'danger'
  hint: string
  /** Whether its column is shown while it is empty: the way a task usually goes. */
  usual?: true
  /** Where a task is on its way; work that is done or dropped goes no further. */
  phase: 'planned' | 'in_progress' | 'blocked' | 'done' | 'dropped'
  /** Who takes the task on from here: an agent of this role, whoever supervises, or a person. */
  turn?: 'planner' | 'coder' | 'code_reviewer' | 'supervisor' | 'human'
  /** Whose lease is on the task: the coder's until it submits or gives up, the reviewer's until the verdict. */
  lease?: 'task' | 'review'
  /** Whether an agent has work on it in hand, which an import cannot take over from agents elsewhere. */
  inHand?: true
}

// All lists of states are made from this table and the moves below it.
// oxfmt-ignore
const facts = {
  DRAFT:              { label: 'Draft',              tone: 'neutral', hint: 'Being written; nobody may claim it',                phase: 'planned',     turn: 'planner' },
  UNCLAIMED:          { label: 'Unclaimed',          tone: 'neutral', hint: 'Planned, and waiting for a coder',                  phase: 'planned',     turn: 'coder',         usual: true },
  CLAIMED:            { label: 'In progress',        tone: 'accent',  hint: 'A coder is working on it',                          phase: 'in_progress', turn: 'coder',         usual: true, lease: 'task',   inHand: true },
  READY_FOR_REVIEW:   { label: 'Ready for review',   tone: 'warn',    hint: 'Submitted, and waiting for a verdict',              phase: 'in_progress', turn: 'code_reviewer', usual: true, lease: 'review', inHand: true },
  REJECTED:           { label: 'Rejected',           tone: 'danger',  hint: 'Sent back with findings',                           phase: 'in_progress', turn: 'coder',                      lease: 'task',   inHand: true },
  APPROVED:           { label: 'Approved',           tone: 'good',    hint: 'About to be merged',                                phase: 'in_progress', turn: 'supervisor',    usual: true,                  inHand: true },
  INTEGRATION_FAILED: { label: 'Integration failed', tone: 'danger',  hint: 'Approved, but it did not merge or its test failed', phase: 'blocked',     turn: 'coder',                                       inHand: true },
  BLOCKED:            { label: 'Blocked',            tone: 'danger',  hint: 'Cannot continue without an answer',                    phase: 'blocked',     turn: 'human' },
  MERGED:             { label: 'Merged',             tone: 'good',    hint: 'On the integration branch',                         phase: 'done',                               usual: true },
  SUPERSEDED:         { label: 'Superseded',         tone: 'neutral', hint: 'Replaced by other tasks',                           phase: 'dropped' },
  ABANDONED:          { label: 'Abandoned',          tone: 'neutral', hint: 'Dropped for good',                                  phase: 'dropped' },
} as const satisfies Record<string, TaskStateFacts>

export type TaskState = keyof typeof facts

/** Every state of a task, from where it begins to where it ends. */
export const taskStates: Readonly<Record<TaskState, TaskStateFacts>> = facts

const states = Object.keys(facts) as [TaskState, ...TaskState[]] // the keys of the table, which is not empty

/** Every move of a task. A review is a lease on a task that waits, not a state of its own. */
// oxfmt-ignore
export const taskFlow = defineFlow({
  name: 'task',
  states,
  initial: 'DRAFT',
  person: {
    is: 'human',
    does: {
      finalize:  { operation: 'board.finalize_task' },
      release:   { operation: 'board.release_task' },
      merge:     { operation: 'board.merge_task' },
      reject:    { operation: 'board.reject_task' },
      hold:      { operation: 'board.hold_task' },
      unblock:   { operation: 'board.unblock_task' },
      supersede: { operation: 'board.supersede_task' },
      abandon:   { operation: 'board.abandon_task' },
    },
  },
  moves: {
    finalize:         { from: ['DRAFT'],                                       to: 'UNCLAIMED',          by: ['planner', 'human'] },
    claim:            { from: ['UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED'], to: 'CLAIMED',            by: ['supervisor'] },
    reclaim:          { from: ['CLAIMED'],                                     to: 'CLAIMED',            by: ['supervisor'] },
    release:          { from: ['CLAIMED'],                                     to: 'UNCLAIMED',          by: ['supervisor', 'human'] },
    submit:           { from: ['CLAIMED'],                                     to: 'READY_FOR_REVIEW',   by: ['coder'] },
    block:            { from: ['CLAIMED'],                                     to: 'BLOCKED',            by: ['coder'] },
    approve:          { from: ['READY_FOR_REVIEW'],                            to: 'APPROVED',           by: ['code_reviewer'] },
    reject:           { from: ['READY_FOR_REVIEW'],                            to: 'REJECTED',           by: ['code_reviewer', 'human'] },
    merge:            { from: ['APPROVED'],                                    to: 'MERGED',             by: ['code_reviewer', 'supervisor', 'human'] },
    fail_integration: { from: ['APPROVED'],                                    to: 'INTEGRATION_FAILED', by: ['supervisor'] },
    void:             { from: ['APPROVED'],                                    to: 'REJECTED',           by: ['supervisor'] },
    hold:             { from: ['UNCLAIMED', 'CLAIMED', 'READY_FOR_REVIEW', 'REJECTED', 'INTEGRATION_FAILED'], to: 'BLOCKED', by: ['planner', 'supervisor', 'human'] },
    unblock:          { from: ['BLOCKED'],                                     to: 'UNCLAIMED',          by: ['planner', 'human'] },
    supersede:        { from: ['DRAFT', 'UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'BLOCKED'], to: 'SUPERSEDED', by: ['planner', 'human'] },
    abandon:          { from: ['DRAFT', 'UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'BLOCKED'], to: 'ABANDONED',  by: ['planner', 'human'] },
    drop:             { from: ['UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'BLOCKED'], to: 'ABANDONED',            by: ['supervisor'] },
  },
})

export type TaskMove = keyof typeof taskFlow.moves

/** The states of which something is true. */
export function statesWhere(holds: (facts: TaskStateFacts) => boolean): TaskState[] {
  return states.filter((state) => holds(taskStates[state]))
}

/** Nothing more happens to a task in one of these. */
export const finalStates = states.filter((state) => isFinal(taskFlow, state))

/** States in which something is still to be done about a task. */
export const openStates = states.filter((state) => !isFinal(taskFlow, state))

/** Given up: such a task is never merged, and may lack what a plan must have. */
export const droppedStates = statesWhere(({ phase }) => phase === 'dropped')

/** States in which a coder's lease is on the task. */
export const heldStates = statesWhere(({ lease }) => lease === 'task')

/** States in which a reviewer's lease may be on the task. */
export const reviewStates = statesWhere(({ lease }) => lease === 'review')

/** The states from which a coder may claim a task. */
export const claimableStates: readonly TaskState[] = taskFlow.moves.claim.from

/** States as SQL lists them. They are spelled out there because a database uses a partial index only for the very states it names. */
export function sqlStates(listed: readonly TaskState[]): string {
  return `(${listed.map((state) => `'${state}'`).join(', ')})`
}
