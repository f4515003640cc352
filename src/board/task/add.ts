import { boardKey, type Board } from '../../domain/board/board.ts'
import { fitting } from '../../domain/text/fitting.ts'
import { Problem } from '../../domain/problem.ts'
import { Task, TaskId, TaskPlan } from '../../domain/board/task.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { addRecord } from '../records.ts'
import { refuseOver } from '../goal/control.ts'
import { checkDependencies, removeDependents, addDependents } from './dependencies.ts'
import type { Actor, BoardRef } from '../desk.ts'
import { needTask } from '../find.ts'
import { withEvent } from './move.ts'
import { actOn, knownActor, type KnownActor } from '../agent/known-actor.ts'

export interface AddRequest extends Partial<TaskPlan> {
  id?: string | undefined
  sprint?: 'planned' | 'stretch'
}

/** Puts a new task on the board as a DRAFT. What is missing may be said later; it is asked for when the task is finalized. */
export async function addTask(context: BoardRef, actor: Actor, request: AddRequest): Promise<Task> {
  return context.driver.transaction(async (tx) => {
    const who = await knownActor(tx, context.board_id, actor)
    mustPlan(who)
    const board = await boards.get(tx, context.board_id)
    const task = await insertTask(tx, board, who, request)
    const summary = `added ${task.id}: ${task.description}`
    await addRecord(tx, context.board_id, { kind: 'alignment', task: task.id, event: 'planning', summary })
    return task
  })
}

/** Changes what a DRAFT says. */
export async function editTask(board: BoardRef, actor: Actor, id: string, changes: Partial<TaskPlan>): Promise<Task> {
  return actOn(board, actor, id, async (tx, who, was) => {
    mustPlan(who)
    if (was.item.status !== 'DRAFT') {
      throw new Problem('move_refused', `${id} is ${was.item.status}; only a DRAFT can be edited. Supersede it, or unblock it with changes`)
    }
    const edited = parsePlan({ ...was.item, ...changes })
    await checkDependencies(tx, board.board_id, id, edited.depends_on)
    await removeDependents(tx, was.item)
    const stored = await tasks.replace(
      tx,
      await needTask(tx, board.board_id, id),
      withEvent({ ...was.item, ...edited }, { by: who, event: 'edited' }, await tx.now()),
    )
    await addDependents(tx, stored.item)
    await recordActivity(tx, board.board_id, { agent: who.id, action: 'task_edited', task: id, detail: Object.keys(changes).join(', ') })
    return stored.item
  })
}

/** Adds a task inside a transaction that may do more. Gives the number of the board's tasks a step forward. */
export async function insertTask(
  tx: Driver,
  was: Stored<Board>,
  who: KnownActor,
  { id: wanted, sprint, supersedes = null, ...plan }: AddRequest & { supersedes?: string | null },
  /** A task that the board makes itself, complete as it is, to bring the base branch in: what is known of it, and the files in conflict. */
  base: { ready: Partial<Task>; files: readonly string[] } | null = null,
): Promise<Task> {
  const parsed = parsePlan(plan)
  refuseOver(was.item)
  const { item: board } = await boards.replace(tx, was, {
    ...was.item,
    tasks_added: was.item.tasks_added + 1,
    base_tasks: was.item.base_tasks + (base === null ? 0 : 1),
  })
  const id = wanted === undefined ? await freeId(tx, board) : parseId(wanted)
  if ((await tasks.find(tx, boardKey({ board_id: board.id, id }))) !== null)
    throw new Problem('conflict', `there is a task ${id} on this board already`, { details: { field: 'id' } })
  await checkDependencies(tx, board.id, id, parsed.depends_on)
  const now = await tx.now()
  const task = Task.parse({
    ...parsed,
    id,
    board_id: board.id,
    number: board.tasks_added,
    status: 'DRAFT',
    created: now.toISOString(),
    sprint: sprint ?? (supersedes === null ? 'planned' : null),
    supersedes,
    unmet: 1,
    ...base?.ready,
  })
  const added = await tasks.add(tx, withEvent(task, { by: who, event: 'created', about: base === null ? {} : { files: base.files } }, now))
  await addDependents(tx, added.item)
  await recordActivity(tx, board.id, { agent: who.id, action: 'task_added', task: id, detail: task.description })
  return added.item
}

/** Tasks are written by the planner and by the human, nobody else. */
function mustPlan({ role, id }: KnownActor): void {
  if (role === 'planner' || role === 'human') return
  throw new Problem('forbidden', `${id} may not plan: tasks are written by the planner or the human; report a discovery instead`)
}

/** A plan as it must be, each dependency named once, or a refusal that names every field that is wrong. */
export function parsePlan(given: unknown): TaskPlan {
  const plan = fitting(TaskPlan, given, 'the task does not fit')
  return { ...plan, depends_on: [...new Set(plan.depends_on)] }
}

function parseId(id: string): string {
  if (TaskId.safeParse(id).success) return id
  throw new Problem('bad_input', `${JSON.stringify(id)} cannot be the id of a task; it takes small letters, digits and -, at most 63`, {
    details: { field: 'id' },
  })
}

/** Somebody may have given the next number as a name. */
async function freeId(tx: Driver, { id: board_id, tasks_added }: Board): Promise<string> {
  for (let number = tasks_added; ; number++) {
    const id = `task-${number}`
    if ((await tasks.find(tx, boardKey({ board_id, id }))) === null) return id
  }
}
