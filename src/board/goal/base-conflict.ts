import { lastEvent } from '../../domain/board/event.ts'
import { boardKey } from '../../domain/board/board.ts'
import { isFinal } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { openStates, taskFlow } from '../../domain/board/task-flow.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { insertTask } from '../task/add.ts'
import { clearAwayAndSay } from '../worktree/clear-away.ts'
import type { BoardRepository } from '../desk.ts'
import { boardOf, needTask } from '../find.ts'
import { moveTask } from '../task/move.ts'
import { keepSpecText, readSpec } from './spec.ts'
import { integrationHead } from './shared-branches.ts'

const supervisor = { role: 'supervisor', id: 'supervisor', agent: null } as const

/** More files than this are counted. */
const FILES_NAMED = 20

/** The task made for a commit of the base branch, so that it is made once by whichever process finds the conflict. */
function taskIdFor(base: string): string {
  return `take-in-${base.slice(0, 12)}`
}

/** The conflict with this commit, when a task was made for it: also one that was given up stays known, and is not asked for again. */
export async function knownConflict(
  { driver, board_id }: BoardRepository,
  base: string,
): Promise<{ files: string[]; task: string | null } | null> {
  const found = await tasks.find(driver, boardKey({ board_id, id: taskIdFor(base) }))
  if (found === null) return null
  const { id, status, history } = found.item
  const files = lastEvent(history, 'created')?.files
  const named = Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
  return { files: named, task: isFinal(taskFlow, status) ? null : id }
}

/** Makes a task of a conflict between the base and the integration branch. Null where the goal is over. */
export async function handToCoder(
  board: BoardRepository,
  base: string,
  conflict: { files: string[]; output: string },
): Promise<string | null> {
  const { goal, config } = await boardOf(board)
  if (goal.status !== 'IN_PROGRESS') return null
  const spec_ref = goal.spec_ref ?? conflict.files[0] ?? null
  const spec = await readSpec(board.repository, await integrationHead(board.repository, config), spec_ref)
  const id = taskIdFor(base)
  await dropSettledConflicts(board)
  try {
    await board.driver.transaction(async (tx) => {
      const was = await boards.get(tx, board.board_id)
      const plan = { id, kind: 'config', spec_ref, ...wordsFor(base, config, conflict.files) } as const
      // Both sides were approved by a person already: this only brings them together.
      const approved = { status: 'UNCLAIMED', plan_approved_by: 'supervisor', unmet: 0 } as const
      const held = { spec_hash: spec?.spec_hash ?? null, spec_file_unchecked: spec === null }
      await insertTask(tx, was, supervisor, plan, { ready: { ...approved, ...held, takes_in: base }, files: conflict.files })
      if (spec !== null) await keepSpecText(tx, board.board_id, spec)
      const detail = `${config.base_branch} does not fit ${config.integration_branch} in ${fileList(conflict.files)}`
      await recordActivity(tx, board.board_id, { agent: 'supervisor', action: 'base_conflict', task: id, detail, files: conflict.files })
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'conflict') throw error // else another process made it first
  }
  return id
}

/** The base branch moved on, or was taken in another way: a task about an earlier commit of it that nobody holds has nothing left to do. */
export async function dropSettledConflicts(board: BoardRepository): Promise<void> {
  const open = await tasks.items(board.driver, { where: { board_id: board.board_id, status: openStates } })
  for (const task of open.filter(({ takes_in }) => takes_in !== null)) {
    const dropped = await board.driver.transaction((tx) => drop(tx, task))
    if (dropped !== null) await clearAwayAndSay(board, dropped)
  }
}

async function drop(tx: Driver, { id, board_id }: Task): Promise<Task | null> {
  const was = await needTask(tx, board_id, id)
  if (!taskFlow.moves.drop.from.some((state) => state === was.item.status)) return null // somebody is at it
  const reason = 'the base branch has moved on'
  const step = { move: 'drop', by: supervisor, event: 'abandoned', about: { reason } } as const
  const changes = { rescope_reason: reason, worktree: null, worktree_by: null, lease_expires: null }
  const { item } = await moveTask(tx, was, step, changes)
  await recordActivity(tx, board_id, { agent: 'supervisor', action: 'abandoned', task: id, detail: reason })
  return item
}

function wordsFor(base: string, config: { base_branch: string | null; integration_branch: string }, files: readonly string[]) {
  const { base_branch, integration_branch } = config
  return {
    description: `Take ${base_branch} into ${integration_branch}: settle the conflict in ${fileList(files)}. update_from_integration merges commit ${base} into your branch (by hand: git merge ${base}); keep what both sides want.`,
    done_when: `The task branch contains commit ${base}, and no file holds a conflict marker such as <<<<<<<`,
    scope: `IN: the conflict in ${fileList(files)}. OUT: everything else`,
  }
}

function fileList(files: readonly string[]): string {
  const named = files.slice(0, FILES_NAMED).join(', ')
  return files.length > FILES_NAMED ? `${named} and ${files.length - FILES_NAMED} more` : named
}
