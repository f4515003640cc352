import { boardKey } from '../domain/board.ts'
import { finalStates } from '../domain/task-flow.ts'
import { worktreeOf } from '../domain/task.ts'
import { tasks } from '../store/tables.ts'
import { gitText } from '../worktrees/repository.ts'
import { removeWorktree } from '../worktrees/worktree.ts'
import type { Desk } from './desk.ts'
import { placeOf } from './prepare-worktree.ts'

/** Clears away what a process left that died between closing a task and removing its worktree. The work itself is kept under a ref. */
export async function sweepWorktrees({ driver, board_id, repository }: Pick<Desk, 'driver' | 'board_id' | 'repository'>): Promise<void> {
  const prefix = `refs/heads/${worktreeOf('').branch}`
  const listed = await gitText(repository.root, ['for-each-ref', '--format=%(refname)', prefix])
  const ids = listed.split('\n').flatMap((ref) => (ref === '' ? [] : boardKey({ board_id, id: ref.slice(prefix.length) })))
  if (ids.length === 0) return
  for (const { item } of await tasks.list(driver, { where: { id: ids, status: [...finalStates] } })) {
    const place = placeOf(repository.root, item)
    await removeWorktree(repository, place, `${board_id}/${item.id}/closed`).catch(() => undefined) // another process is at it too
  }
}
