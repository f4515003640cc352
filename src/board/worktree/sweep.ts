import { boardKey } from '../../domain/board/board.ts'
import { finalStates } from '../../domain/board/task-flow.ts'
import { worktreeOf } from '../../domain/board/task.ts'
import { boards, tasks } from '../../store/tables.ts'
import { branchesAt } from '../../worktrees/remote.ts'
import { gitText } from '../../worktrees/repository.ts'
import { clearAway } from './clear-away.ts'
import type { BoardRepository } from '../desk.ts'
import { findBoard } from '../find.ts'

/**
 * Clears away what a process left that died between closing a task and removing its worktree, and what a remote kept while it
 * was away. The work itself is kept under a ref.
 */
export async function sweepWorktrees(board: BoardRepository): Promise<void> {
  const { driver, board_id, repository } = board
  if ((await findBoard(driver, repository.root))?.id !== board_id) return // the branches are those of the next goal by now
  const ids = [...new Set(await taskBranches(board))].map((id) => boardKey({ board_id, id }))
  if (ids.length === 0) return
  for (const task of await tasks.items(driver, { where: { id: ids, status: finalStates } })) {
    await clearAway(board, task) // whoever closed it said what stands in the way; until that is gone every sweep tries again
  }
}

/** The ids in the names of all task branches, here and at the remote. */
async function taskBranches({ driver, board_id, repository }: BoardRepository): Promise<string[]> {
  const { remote } = (await boards.get(driver, board_id)).item.config
  const { branch: prefix } = worktreeOf('')
  const here = await gitText(repository.root, ['for-each-ref', '--format=%(refname)', `refs/heads/${prefix}`])
  const ids = here.split('\n').flatMap((ref) => (ref === '' ? [] : ref.slice(`refs/heads/${prefix}`.length)))
  const there = remote === null ? [] : await branchesAt(repository, remote, prefix).catch(() => []) // a remote that is away keeps nobody from clearing up here
  return [...ids, ...there]
}
