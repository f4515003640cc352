import { Problem } from '../../domain/problem.ts'
import { git } from '../../sandbox/git.ts'
import { agentAuthor, authorEnvironment, commitAll } from '../../worktrees/commit.ts'
import { commitOf, gitText } from '../../worktrees/repository.ts'
import type { Desk, Identity } from '../desk.ts'
import { boardOf, needTask } from '../find.ts'
import { mustHold } from '../move.ts'
import { placeOf } from '../prepare-worktree.ts'
import { integrationHead } from '../shared-branches.ts'
import { standingOf } from '../standing.ts'

/** Commits what is in the worktree of a task in its coder's name. A coder has no git of its own: hooks and settings stay out of reach. */
export async function commitWork(desk: Desk, identity: Identity, taskId: string, message: string): Promise<string> {
  const path = await heldWorktree(desk, identity, taskId)
  const committed = await commitAll(path, message, agentAuthor(identity.agent))
  if (committed === null) throw new Problem('conflict', 'there is nothing to commit: no file was changed, made or deleted')
  return `committed ${committed}`
}

/** Brings what was merged meanwhile into a task branch; what does not fit is left in the files for the coder to settle. */
export async function mergeIntegration(desk: Desk, identity: Identity, taskId: string): Promise<string> {
  const path = await heldWorktree(desk, identity, taskId)
  const { config } = await boardOf(desk)
  const { integration_branch: branch } = config
  await integrationHead(desk.repository, config)
  const author = authorEnvironment(agentAuthor(identity.agent))
  const merged = await git(path, ['merge', '--no-edit', '--no-verify', '--no-stat', `refs/heads/${branch}`], { env: author })
  if (merged.exit_code === 0) return `merged ${branch}; your branch stands at ${await commitOf(path, 'HEAD')}`
  const conflicted = await gitText(path, ['diff', '--name-only', '--diff-filter=U'])
  if (conflicted === '') throw new Problem('conflict', `git could not merge ${branch}: ${(merged.stderr || merged.stdout).trim()}`)
  return `these files are in conflict; settle each by editing it, then commit_work:\n${conflicted}`
}

/** Only the holder of the claim may touch the files. */
async function heldWorktree({ driver, board_id, repository }: Desk, identity: Identity, taskId: string): Promise<string> {
  const who = await standingOf(driver, board_id, identity)
  mustHold((await needTask(driver, board_id, taskId)).item, who)
  return placeOf(repository.root, { id: taskId }).path
}
