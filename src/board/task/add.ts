import * as z from 'zod'
import { boardKey, type Board } from '../../domain/board/board.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { Problem } from '../../domain/problem.ts'
import { defineOperation } from '../../domain/operation.ts'
import { NewTask, Task, TaskChanges, TaskId, TaskPlan, TaskRecord } from '../../domain/board/task.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { addRecord } from '../records.ts'
import { refuseOver } from '../goal/control.ts'
import { checkDependencies, removeDependents, addDependents } from './dependencies.ts'
import type { RecordsContext } from '../context.ts'
import { needTask } from '../find.ts'
import { withEvent, tellTask } from './move.ts'
import { actOn, knownActor, type KnownActor } from '../agent/known-actor.ts'

/** What is missing may be said later; it is asked for when the task is finalized. */
export const addTask = defineOperation({
  name: 'board.add_task',
  summary: 'Put a task on the board as a draft',
  advice: 'Add a task to the board as a DRAFT. A code task includes its tests.',
  by: ['person', 'planner'],
  effect: 'change',
  command: 'board add',
  input: NewTask.extend({ sprint: z.enum(['planned', 'stretch']).default('planned').describe('stretch is beyond the plan of the sprint') }),
  personal: ['max_iterations', 'sprint'],
  output: TaskRecord,
  example: {
    description: 'Page GET /users by 50, with tests',
    spec_ref: 'specs/api.md#users',
    done_when: 'GET /users returns 50 users at most',
    scope: 'IN: the list. OUT: sorting',
  },
  tell: ({ id }) => `added ${id} as DRAFT; finalize it when it is complete`,
  run: async (context: RecordsContext, said) =>
    context.driver.transaction(async (tx) => {
      const who = await knownActor(tx, context.board_id, context.actor)
      mustPlan(who)
      const board = await boards.get(tx, context.board_id)
      const task = await insertTask(tx, board, who, said)
      const summary = `added ${task.id}: ${task.description}`
      await addRecord(tx, context.board_id, { kind: 'alignment', task: task.id, event: 'planning', summary })
      return task
    }),
})

/** What is left out stays as it is. */
export const editTask = defineOperation({
  name: 'board.edit_task',
  summary: 'Change what a draft says',
  by: ['person', 'planner'],
  effect: 'change',
  command: 'board edit <task>',
  input: z.strictObject({ task: TaskId, ...TaskChanges.shape }),
  personal: ['max_iterations'],
  output: TaskRecord,
  example: { task: 'task-1', scope: 'IN: the list. OUT: sorting' },
  tell: ({ id }) => `${id} is changed`,
  run: async (context: RecordsContext, { task: id, ...said }) => {
    const changes = definedOnly(said)
    if (Object.keys(changes).length === 0) throw new Problem('bad_input', `say what changes about ${id}, such as done_when or scope`)
    return actOn(context, context.actor, id, async (tx, who, was) => {
      mustPlan(who)
      if (was.item.status !== 'DRAFT') {
        throw new Problem(
          'move_refused',
          `${id} is ${was.item.status}; only a DRAFT can be edited. Supersede it, or unblock it with changes`,
        )
      }
      const edited = parsePlan({ ...was.item, ...changes })
      await checkDependencies(tx, context.board_id, id, edited.depends_on)
      await removeDependents(tx, was.item)
      const event = { by: who, event: 'edited' } as const
      const current = await needTask(tx, context.board_id, id)
      const stored = await tellTask(tx, current, event, edited)
      await addDependents(tx, stored.item)
      const detail = Object.keys(changes).join(', ')
      await recordActivity(tx, context.board_id, { agent: who.id, action: 'task_edited', task: id, detail })
      return stored.item
    })
  },
})

/** A task as it comes onto the board. */
export interface AddRequest extends Partial<NewTask> {
  sprint?: 'planned' | 'stretch'
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
  const id = wanted ?? (await freeId(tx, board))
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

/** Somebody may have given the next number as a name. */
async function freeId(tx: Driver, { id: board_id, tasks_added }: Board): Promise<string> {
  for (let number = tasks_added; ; number++) {
    const id = `task-${number}`
    if ((await tasks.find(tx, boardKey({ board_id, id }))) === null) return id
  }
}
