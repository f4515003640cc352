import * as z from 'zod'
import { TaskId } from '../../../domain/board/task.ts'
import { defineOperation } from '../../../domain/operation.ts'
import { Problem } from '../../../domain/problem.ts'
import { git } from '../../../sandbox/git/git.ts'
import { agentAuthor, authorEnvironment, commitAll } from '../../../worktrees/commit.ts'
import { boards } from '../../../store/tables.ts'
import { commitOf, gitText, isAncestor } from '../../../worktrees/repository.ts'
import { needIdentity, type BoardContext, type BoardWorkspace, type Identity } from '../../context.ts'
import { baseHead } from '../../goal/base-branch.ts'
import { needTask } from '../../find.ts'
import { refuseOtherHolder } from '../../task/move.ts'
import { placeOf } from '../../worktree/prepare.ts'
import { integrationHead } from '../../goal/shared-branches.ts'
import { knownActor } from '../../agent/known-actor.ts'

const usesGit = 'a person at a terminal uses git itself'

/** In its coder's name. A coder has no git of its own: hooks and settings stay out of reach. */
export const commitWork = defineOperation({
  name: 'board.commit_work',
  summary: 'Commit everything in the worktree of a task to its branch',
  advice: 'Commit everything in your worktree to your task branch.',
  by: ['coder'],
  needs: ['read_files', 'write_files'],
  effect: 'change',
  absent: { cli: usesGit },
  input: z.strictObject({ task: TaskId, message: z.string().min(1).max(5_000) }),
  output: z.object({ commit: z.string(), committed: z.boolean() }),
  example: { task: 'task-1', message: 'Page the list of users by 50' },
  tell: ({ commit, committed }) =>
    committed ? `committed ${commit}` : `nothing new to commit: no file was changed, made or deleted; your branch is at ${commit}`,
  run: async (context: BoardContext, { task, message }) => {
    const coder = needIdentity(context.actor)
    const path = await heldWorktree(context, coder, task)
    const committed = await commitAll(path, message, agentAuthor(coder.agent))
    return { commit: committed ?? (await commitOf(path, 'HEAD')), committed: committed !== null }
  },
})

/** What does not fit is left in the files for the coder to settle. */
export const updateFromIntegration = defineOperation({
  name: 'board.update_from_integration',
  summary: 'Merge what was merged meanwhile into the branch of a task',
  advice: 'Merge the integration branch into your task branch, to resolve a conflict; edit the conflicted files, then commit_work.',
  by: ['coder'],
  needs: ['read_files', 'write_files'],
  effect: 'change',
  absent: { cli: usesGit },
  input: z.strictObject({ task: TaskId }),
  output: z.object({ branch: z.string(), commit: z.string(), conflicts: z.array(z.string()) }),
  example: { task: 'task-1' },
  tell: ({ branch, commit, conflicts }) =>
    conflicts.length === 0
      ? `merged ${branch}; your branch is at ${commit}`
      : `these files are in conflict; settle each by editing it, then commit_work:\n${conflicts.join('\n')}`,
  run: async (context: BoardContext, { task }) => {
    const coder = needIdentity(context.actor)
    const path = await heldWorktree(context, coder, task)
    const { ref, name } = await toMerge(context, path, task)
    const author = authorEnvironment(agentAuthor(coder.agent))
    const merged = await git(path, ['merge', '--no-edit', '--no-verify', '--no-stat', ref], { env: author })
    const conflicted = merged.exit_code === 0 ? '' : await gitText(path, ['diff', '--name-only', '--diff-filter=U'])
    if (merged.exit_code !== 0 && conflicted === '')
      throw new Problem('conflict', `git could not merge ${name}: ${(merged.stderr || merged.stdout).trim()}`)
    return { branch: name, commit: await commitOf(path, 'HEAD'), conflicts: conflicted.split('\n').filter(Boolean) }
  },
})

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
