import { boardKey } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import { openStates } from '../../domain/board/task-flow.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { type AddRequest, insertTask } from './add.ts'
import { addRecord } from '../records.ts'
import { clearAwayAndSay } from '../worktree/clear-away.ts'
import { checkDependencies, removeDependents, refusedDependency, addDependents, unmetOf } from './dependencies.ts'
import type { Actor, BoardRepository } from '../desk.ts'
import { finalizeInside } from './finalize.ts'
import { needTask } from '../find.ts'
import { moveTask, refuseMove, withEvent } from './move.ts'
import { readSpec } from '../goal/spec.ts'
import { actOn, type KnownActor } from '../agent/known-actor.ts'
import { integrationNow } from '../goal/take-in.ts'
import { completeWhenReached } from '../team/upkeep/complete-goal.ts'

export interface Rescope {
  /** Why the task does not stay as it is. */
  reason: string
  /** What really went wrong with it. */
  root_cause: string
  /** One replacement redefines the task, several split it. Each passes the planner's gates or nothing happens. */
  replacements: AddRequest[]
  skip_spec_file_check?: boolean
}

/** Replaces a task by better ones. The original, the reason and the root cause stay on record; whatever waited for it waits for its replacements. */
export async function supersedeTask(
  board: BoardRepository,
  actor: Actor,
  taskId: string,
  rescope: Rescope,
): Promise<{ task: Task; replacements: Task[] }> {
  refuseSilence(rescope)
  if (rescope.replacements.length === 0) throw new Problem('bad_input', `name what replaces ${taskId}; to drop it, abandon it`)
  const { item: asked } = await needTask(board.driver, board.board_id, taskId)
  const planned = rescope.replacements.map((plan) => ({ ...plan, spec_ref: plan.spec_ref ?? asked.spec_ref }))
  const at = await integrationNow(board)
  const specs = await Promise.all(planned.map(({ spec_ref }) => readSpec(board.repository, at, spec_ref)))
  const done = await actOn(board, actor, taskId, async (tx, who, was) => {
    refuseMove(was.item, 'supersede', who)
    const replacements: Task[] = []
    for (const [number, plan] of planned.entries()) {
      const added = await insertTask(tx, await boards.get(tx, board.board_id), who, { ...plan, supersedes: taskId })
      const given = {
        taskId: added.id,
        specRef: added.spec_ref,
        spec: specs[number] ?? null,
        root: board.repository.root,
        skip_spec_file_check: rescope.skip_spec_file_check === true,
      }
      replacements.push(await finalizeInside(tx, board.board_id, who, given))
    }
    const ids = replacements.map(({ id }) => id)
    const task = await close(tx, board.board_id, who, taskId, 'supersede', rescope, ids)
    await retarget(tx, task, ids, who)
    return { task, replacements: await Promise.all(ids.map(async (id) => (await needTask(tx, board.board_id, id)).item)) }
  })
  await clearAwayAndSay(board, done.task)
  return done
}

/** Drops a task for good. Refused while others wait for it: they would wait for ever. */
export async function abandonTask(
  board: BoardRepository,
  actor: Actor,
  taskId: string,
  { reason, root_cause }: Omit<Rescope, 'replacements'>,
): Promise<Task> {
  refuseSilence({ reason, root_cause })
  const task = await actOn(board, actor, taskId, async (tx, who, { item }) => {
    refuseMove(item, 'abandon', who)
    const waiting = await openDependents(tx, item)
    if (waiting.length > 0)
      throw new Problem('conflict', `${waiting.join(', ')} wait for ${taskId}; supersede or abandon them first, or supersede ${taskId}`)
    return close(tx, board.board_id, who, taskId, 'abandon', { reason, root_cause }, [])
  })
  const closed = await clearAwayAndSay(board, task)
  await completeWhenReached(board.driver, board.board_id) // with nothing left the goal would stay open, and no other could be begun
  return closed
}

async function close(
  tx: Driver,
  boardId: string,
  who: KnownActor,
  taskId: string,
  move: 'supersede' | 'abandon',
  { reason, root_cause }: Pick<Rescope, 'reason' | 'root_cause'>,
  by: string[],
): Promise<Task> {
  const was = await needTask(tx, boardId, taskId)
  const event = move === 'supersede' ? 'superseded' : 'abandoned'
  const rescope_reason = `${reason} Root cause: ${root_cause}`
  const step = { move, by: who, event, about: { reason, root_cause } }
  const changes = { superseded_by: by, rescope_reason, worktree: null, worktree_by: null, lease_expires: null }
  const closed = await moveTask(tx, was, step, changes)
  await removeDependents(tx, was.item)
  const into = by.length > 0 ? ` by ${by.join(', ')}` : ''
  const summary = `${event}${into}: ${rescope_reason}`
  await addRecord(tx, boardId, { kind: 'alignment', task: taskId, event: `rescope_${taskId}`, summary })
  const action = move === 'supersede' ? 'rescoped' : 'abandoned'
  await recordActivity(tx, boardId, { agent: who.id, action, task: taskId, detail: `${event}${into}: ${reason}`, root_cause })
  return closed.item
}

async function retarget(tx: Driver, task: Task, to: string[], who: KnownActor): Promise<void> {
  for (const id of await openDependents(tx, task)) {
    if (to.includes(id)) throw refusedDependency(`${id} cannot depend on ${task.id}, which it replaces`)
    const was = await needTask(tx, task.board_id, id)
    const depends_on = [...new Set(was.item.depends_on.flatMap((dependency) => (dependency === task.id ? to : [dependency])))]
    await checkDependencies(tx, task.board_id, id, depends_on) // a replacement may wait for what waited for the task
    const changed = { ...was.item, depends_on }
    const event = { by: who, event: 'dependency_retargeted', about: { from: task.id, to } }
    const stored = await tasks.replace(tx, was, withEvent({ ...changed, unmet: await unmetOf(tx, changed) }, event, await tx.now()))
    await addDependents(tx, stored.item)
  }
}

async function openDependents(tx: Driver, { board_id, dependents }: Task): Promise<string[]> {
  const found = await tasks.items(tx, { where: { id: dependents.map((id) => boardKey({ board_id, id })), status: openStates } })
  return found.map(({ id }) => id)
}

function refuseSilence({ reason, root_cause }: Pick<Rescope, 'reason' | 'root_cause'>): void {
  if (reason.trim() !== '' && root_cause.trim() !== '') return
  throw new Problem('bad_input', 'a rescope states its reason and its root cause: what failed, and why')
}
