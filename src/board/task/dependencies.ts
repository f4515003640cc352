import { boardKey } from '../../domain/board/board.ts'
import { droppedStates } from '../../domain/board/task-flow.ts'
import { Problem } from '../../domain/problem.ts'
import type { Task, TaskEntry, TaskPlanning, TaskPlan } from '../../domain/board/task.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { tasks } from '../../store/tables.ts'
import { needTask } from '../find.ts'
import { changeTask } from './move.ts'

/** How many things still stand between a task and a claim. */
export async function unmetOf(tx: Driver, task: Pick<Task, 'board_id' | 'depends_on' | 'plan_approved_by'>): Promise<number> {
  const approval = task.plan_approved_by === null ? 1 : 0
  if (task.depends_on.length === 0) return approval
  const keys = task.depends_on.map((id) => boardKey({ board_id: task.board_id, id }))
  const merged = await tasks.count(tx, { id: keys, status: 'MERGED' })
  return keys.length - merged + approval
}

/** Enters a task with the tasks it depends on, so that each knows whom to tell when it is merged. */
export async function addDependents(tx: Driver, { id, board_id, depends_on }: TaskEntry & TaskPlan): Promise<void> {
  for (const dependency of depends_on) {
    const was = await needTask(tx, board_id, dependency)
    if (was.item.dependents.includes(id)) continue
    await changeTask(tx, was, { dependents: [...was.item.dependents, id] })
  }
}

/** Strikes a task out with the tasks it depended on. */
export async function removeDependents(tx: Driver, { id, board_id, depends_on }: TaskEntry & TaskPlan): Promise<void> {
  for (const dependency of depends_on) {
    const was = await tasks.find(tx, boardKey({ board_id, id: dependency }))
    if (was !== null) await changeTask(tx, was, { dependents: was.item.dependents.filter((other) => other !== id) })
  }
}

/** After a task was merged: those that waited for it wait for one thing less. Gives those that can be claimed now. */
export async function settleDependents(tx: Driver, { board_id, dependents }: TaskEntry & TaskPlanning): Promise<Task[]> {
  const free: Task[] = []
  for (const id of dependents) {
    const was = await tasks.find(tx, boardKey({ board_id, id }))
    if (was === null) continue
    const { item } = await changeTask(tx, was, { unmet: await unmetOf(tx, was.item) })
    if (item.unmet === 0 && item.status === 'UNCLAIMED') free.push(item)
  }
  return free
}

/** Refuses dependencies that do not exist, can never be merged, or lead back to the task itself. */
export async function checkDependencies(tx: Driver, boardId: string, id: string, dependsOn: readonly string[]): Promise<void> {
  for (const dependency of dependsOn) {
    if (dependency === id) throw refusedDependency(`${id} cannot depend on itself`)
    const { item } = await needTask(tx, boardId, dependency)
    if (droppedStates.includes(item.status)) {
      const instead = item.superseded_by.length > 0 ? `; depend on ${item.superseded_by.join(', ')} instead` : ''
      throw refusedDependency(`${id} cannot depend on ${dependency}, which is ${item.status}${instead}`)
    }
  }
  const circle = await pathBack(tx, boardId, id, dependsOn)
  if (circle !== null) throw refusedDependency(`dependencies must not lead in a circle: ${circle.join(' → ')}`)
}

/** A refusal that names the field, so that a form can say it there. */
export function refusedDependency(why: string): Problem {
  return new Problem('bad_input', why, { details: { field: 'depends_on' } })
}

/** The way from the dependencies back to the task, if there is one. */
async function pathBack(tx: Driver, boardId: string, id: string, dependsOn: readonly string[]): Promise<string[] | null> {
  const from = new Map<string, string>(dependsOn.map((dependency) => [dependency, id]))
  const queue = [...dependsOn]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const was: Stored<Task> | null = await tasks.find(tx, boardKey({ board_id: boardId, id: at }))
    for (const further of was?.item.depends_on ?? []) {
      if (further === id) return trace(from, at, id)
      if (from.has(further)) continue
      from.set(further, at)
      queue.push(further)
    }
  }
  return null
}

function trace(from: ReadonlyMap<string, string>, end: string, id: string): string[] {
  const way = [end, id]
  for (let at = from.get(end); at !== undefined && at !== id; at = from.get(at)) way.unshift(at)
  return [id, ...way]
}
