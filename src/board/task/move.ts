import { agentFlow, type BoardAgent } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { taskFlow, type TaskMove } from '../../domain/board/task-flow.ts'
import type { SaidOfTask, TaskEvent } from '../../domain/board/event.ts'
import type { Task, TaskChange, TaskClaim, TaskEntry, TaskReview } from '../../domain/board/task.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import type { KnownActor } from '../agent/known-actor.ts'

/** What is done to a task, by whom, and what its history will say. */
export type TaskStep = ToldEvent & { move: TaskMove }

/** What the history of a task is to say, and who did it. */
export type ToldEvent = SaidOfTask & {
  by: Pick<KnownActor, 'role' | 'id'>
  /** The moment by the store's clock, where the caller has asked for it already. */
  now?: Date
}

/** The one way a task changes its state: by the table, with a line in its history. */
export async function moveTask(tx: Driver, was: Stored<Task>, step: TaskStep, changes: TaskChange = {}): Promise<Stored<Task>> {
  const status = nextState(taskFlow, was.item.status, step.move, step.by.role, { task: was.item.id })
  return tasks.replace(tx, was, withEvent({ ...was.item, ...changes, status }, step, step.now ?? (await tx.now())))
}

/** Writes to a task that stays in its state. */
export async function changeTask(tx: Driver, was: Stored<Task>, changes: TaskChange): Promise<Stored<Task>> {
  return tasks.replace(tx, was, { ...was.item, ...changes })
}

/** The same with a line in its history. */
export async function tellTask(tx: Driver, was: Stored<Task>, said: ToldEvent, changes: TaskChange = {}): Promise<Stored<Task>> {
  return tasks.replace(tx, was, withEvent({ ...was.item, ...changes }, said, said.now ?? (await tx.now())))
}

/** Refuses a move before anything else is looked at, in the words of the table. */
export function refuseMove(task: TaskEntry, move: TaskMove, { role }: Pick<KnownActor, 'role'>): void {
  nextState(taskFlow, task.status, move, role, { task: task.id })
}

/** The task with one more line of history. */
export function withEvent(task: Task, { by, event, about }: ToldEvent, now: Date): Task {
  const entry = { time: now.toISOString(), event, agent: by.id, ...about } as TaskEvent // the fields of its own event
  return { ...task, history: [...task.history, entry] }
}

/** Refuses anyone who does not hold the claim on a task. */
export function refuseOtherHolder(task: TaskEntry & TaskClaim, { id, agent }: KnownActor): void {
  const ours = task.assigned_to === id
  if (ours && (agent === null || task.claim_generation === agent.item.generation)) return
  const message = ours
    ? `${task.id} was claimed by an earlier registration of ${id}; claim it again before going on`
    : `${task.id} is in the hands of ${task.assigned_to ?? 'nobody'}, not of ${id}; stop working on it`
  throw new Problem('forbidden', message, { details: { task: task.id, assigned_to: task.assigned_to } })
}

/** Moves an agent by its table; a task it is done with is no longer its current one. */
export async function moveAgent(
  tx: Driver,
  was: Stored<BoardAgent>,
  move: keyof typeof agentFlow.moves,
  changes: Partial<BoardAgent> = {},
): Promise<Stored<BoardAgent>> {
  const status = nextState(agentFlow, was.item.status, move, 'supervisor')
  return boardAgents.replace(tx, was, { ...was.item, ...changes, status })
}

/** Lets the agent that had a task go on to the next one, if it is still there and still at it. */
export async function freeAgent(tx: Driver, { board_id, id }: TaskEntry, agent: string | null): Promise<void> {
  const was = agent === null ? null : await boardAgents.find(tx, boardKey({ board_id, id: agent }))
  if (was?.item.current_task === id) await moveAgent(tx, was, 'rest', { current_task: null })
}

/** What is taken back with a claim. */
export const withoutClaim = { claim_generation: null, lease_expires: null, preparing: false } as const satisfies Partial<TaskClaim>

/** What is taken back with an approval. */
export const withoutApproval = { approved_by: null, approved_spec_hash: null } as const satisfies Partial<TaskReview>

/** What is taken back with a review. */
export const withoutReview = {
  reviewing_by: null,
  review_generation: null,
  review_lease_expires: null,
} as const satisfies Partial<TaskReview>
