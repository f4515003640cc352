import { Problem } from '../../../domain/problem.ts'
import { git } from '../../../sandbox/git/git.ts'
import { agentAuthor, authorEnvironment, commitAll } from '../../../worktrees/commit.ts'
import { boards } from '../../../store/tables.ts'
import { commitOf, gitText, isAncestor } from '../../../worktrees/repository.ts'
import { baseHead } from '../../goal/base-branch.ts'
import type { BoardWorkspace, Identity } from '../../desk.ts'
import { needTask } from '../../find.ts'
import { refuseOtherHolder } from '../../task/move.ts'
import { placeOf } from '../../worktree/prepare.ts'
import { integrationHead } from '../../goal/shared-branches.ts'
import { knownActor } from '../../agent/known-actor.ts'

/** Commits what is in the worktree of a task in its coder's name. A coder has no git of its own: hooks and settings stay out of reach. */
export async function commitWork(board: BoardWorkspace, identity: Identity, taskId: string, message: string): Promise<string> {
  const path = await heldWorktree(board, identity, taskId)
  const committed = await commitAll(path, message, agentAuthor(identity.agent))
  if (committed === null)
    return `nothing new to commit: no file was changed, made or deleted; your branch is at ${await commitOf(path, 'HEAD')}`
  return `committed ${committed}`
}

/** Brings what was merged meanwhile into a task branch; what does not fit is left in the files for the coder to settle. */
export async function mergeIntegration(board: BoardWorkspace, identity: Identity, taskId: string): Promise<string> {
  const path = await heldWorktree(board, identity, taskId)
  const { ref, name } = await toMerge(board, path, taskId)
  const author = authorEnvironment(agentAuthor(identity.agent))
  const merged = await git(path, ['merge', '--no-edit', '--no-verify', '--no-stat', ref], { env: author })
  if (merged.exit_code === 0) return `merged ${name}; your branch stands at ${await commitOf(path, 'HEAD')}`
  const conflicted = await gitText(path, ['diff', '--name-only', '--diff-filter=U'])
  if (conflicted === '') throw new Problem('conflict', `git could not merge ${name}: ${(merged.stderr || merged.stdout).trim()}`)
  return `these files are in conflict; settle each by editing it, then commit_work:\n${conflicted}`
}

/** The integration branch; for a task about the base branch first the commit it is to bring in. */
async function toMerge(
  { driver, board_id, repository }: BoardWorkspace,
  path: string,
  taskId: string,
): Promise<{ ref: string; name: string }> {
  const { takes_in } = (await needTask(driver, board_id, taskId)).item
  const { config } = (await boards.get(driver, board_id)).item
  const { integration_branch, base_branch } = config
  await integrationHead(repository, config)
  if (takes_in === null || (await isAncestor(path, takes_in, 'HEAD')))
    return { ref: `refs/heads/${integration_branch}`, name: integration_branch }
  await baseHead(repository, config) // brings its commits here, where another machine found the conflict
  return { ref: takes_in, name: base_branch ?? takes_in }
}

/** Only the holder of the claim may touch the files. */
async function heldWorktree({ driver, board_id, repository }: BoardWorkspace, identity: Identity, taskId: string): Promise<string> {
  const who = await knownActor(driver, board_id, identity)
  refuseOtherHolder((await needTask(driver, board_id, taskId)).item, who)
  return placeOf(repository.root, { id: taskId }).path
}
