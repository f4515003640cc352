import { join } from 'node:path'
import * as z from 'zod'
import type { BoardConfig } from '../../domain/board/board.ts'
import { TaskId, TaskRecord, mergeRefusal, type Task } from '../../domain/board/task.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { runCommand } from '../../sandbox/run-command.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { agentAuthor } from '../../worktrees/commit.ts'
import { beyondCommit, emptyCommit, mergeCommits } from '../../worktrees/merge.ts'
import { inThrowAway } from '../../worktrees/worktree.ts'
import type { BoardContext, Actor, BoardWorkspace } from '../context.ts'
import { boardOf } from '../find.ts'
import { bringWork, moveIntegration } from '../goal/shared-branches.ts'
import { readSpec, isOtherSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { completeWhenReached } from '../team/upkeep/complete-goal.ts'
import { clearAwayAndSay } from '../worktree/clear-away.ts'
import { inOwnFolder } from '../worktree/own-files.ts'
import { placeOf } from '../worktree/prepare.ts'
import { failIntegration, finishMerge, takeMerge, voidApproval, type MergeHold } from './merge-record.ts'

const mergedBySupervisor = 'the supervising process merges what was approved'

/** Somebody else may move the integration branch between our reading and our writing; more often than this is no accident. */
const TRIES = 20

/** In the name of its reviewer. The goal is over once nothing is left to do. */
export const mergeTask = defineOperation({
  name: 'board.merge_task',
  summary: 'Merge approved work into the integration branch',
  by: ['person', 'code_reviewer'],
  effect: 'final',
  command: 'board merge <task>',
  input: z.strictObject({ task: TaskId }),
  output: TaskRecord,
  example: { task: 'task-1' },
  absent: { agent: mergedBySupervisor, mcp: mergedBySupervisor },
  tell: (task) => {
    const why = mergeRefusal(task)
    return `${task.id} is ${task.status}${why === null ? '' : `; not merged: ${why}`}`
  },
  run: async (context: BoardContext, { task: id }) => {
    const task = await mergeWork(context, context.actor, id)
    await completeWhenReached(context.driver, context.board_id)
    return task
  },
})

/**
 * Merges approved work in the name of its reviewer: merge without a checkout, test the result, and only then move the
 * integration branch, if it still stands where the merge began. A merge whose process died is found in the branch and completed.
 */
export async function mergeWork(board: BoardWorkspace, actor: Actor, taskId: string, signal?: AbortSignal): Promise<Task> {
  const { config } = await boardOf(board)
  const hold = await takeMerge(board, actor, taskId, config)
  try {
    return await carryOut(board, hold, signal)
  } catch (error) {
    await hold.release()
    throw error
  }
}

async function carryOut(board: BoardWorkspace, hold: MergeHold, signal?: AbortSignal): Promise<Task> {
  const { task, config } = hold
  const { repository } = board
  const commit = task.review_commit ?? ''
  for (let left = TRIES; left > 0; left--) {
    const onto = await integrationNow(board)
    await bringWork(board, config, task)
    const { commits: drift, merged_as } = await beyondCommit(repository.root, commit, onto)
    if (merged_as !== null) return clearAwayAndSay(board, await finishMerge(board, hold, merged_as, null)) // its process died before it could say so
    const made = await tryMerge(board, hold, onto, signal)
    if (!(await hold.renew())) throw new Problem('conflict', `another process has taken over the merge of ${task.id}`)
    const to = 'merged' in made ? made.merged : await fenceFor(board, hold, onto)
    const moved = board.dry === true || to === onto ? 'moved' : await moveIntegration(repository, config, onto, to)
    if (moved === 'lost_race') continue
    if (!('merged' in made)) return made.settle()
    return clearAwayAndSay(board, await finishMerge(board, hold, made.merged, drift))
  }
  throw new Problem('busy', `${config.integration_branch} moves faster than ${task.id} can be merged; try again`)
}

/** The merge as a commit that no branch points at yet, or how to put down why there is none. */
async function tryMerge(
  board: BoardWorkspace,
  hold: MergeHold,
  onto: string,
  signal?: AbortSignal,
): Promise<{ merged: string } | { settle: () => Promise<Task> }> {
  const { task, config } = hold
  const wrong = await whyVoid(board, task, onto)
  if (wrong !== null) return { settle: () => voidApproval(board, hold, wrong) }
  const author = agentAuthor(task.approved_by ?? 'code-reviewer')
  const merged = await mergeCommits(board.repository, { onto, commit: task.review_commit ?? '', message: mergeMessage(task), author })
  if (merged.outcome === 'conflict') {
    return { settle: () => failIntegration(board, hold, `conflict in ${merged.files.join(', ')}`, merged.output, onto) }
  }
  const failed = await testIntegration(board, config, merged.commit, signal)
  if (failed !== null) {
    const reason = `${failed.reason}${await sameWithoutIt(board, hold, onto, signal)}`
    return { settle: () => failIntegration(board, hold, reason, failed.output, merged.commit) }
  }
  const late = await whyVoidByNow(board, hold)
  return late === null ? { merged: merged.commit } : { settle: () => voidApproval(board, hold, late) }
}

/** What the base branch brings is taken in untested, so the work is not blamed for a test that fails without it. */
async function sameWithoutIt(board: BoardWorkspace, { renew, config }: MergeHold, onto: string, signal?: AbortSignal): Promise<string> {
  if (!(await renew())) return '' // the caller finds out and stops
  const before = await testIntegration(board, config, onto, signal)
  return before === null ? '' : `; ${config.integration_branch} without this work fails it too`
}

/**
 * The commit the integration branch has to be at before the approval of this task may go. The process this merge was taken over from
 * may be held up with one hand on the branch, having found everything in order; once the branch has made a step, it reaches into the void.
 */
async function fenceFor({ repository }: BoardWorkspace, { task, taken_over }: MergeHold, onto: string): Promise<string> {
  if (!taken_over) return onto
  const message = `Nothing of ${task.id} is merged\n\nA process that merged it did not come back in time. Should it, it finds the branch moved on.\n`
  return emptyCommit(repository, onto, message, agentAuthor('supervisor'))
}

/** Why the approval no longer holds: another commit on the branch, or another text of the spec. */
async function whyVoid({ repository }: BoardWorkspace, task: Task, at: string): Promise<string | null> {
  const { branch } = placeOf(repository.root, task)
  const head = await branchHead(repository, branch)
  const stands = head === null ? 'is gone' : `is at ${head}`
  if (head !== task.review_commit) return `${branch} ${stands}, but ${task.review_commit} was approved; submit it again`
  const spec = await readSpec(repository, at, task.spec_ref)
  if (!isOtherSpec(task, spec, task.approved_spec_hash)) return null
  if (spec === null)
    throw new Problem('conflict', `${task.spec_ref}, which ${task.id} was held against, is gone; bring it back to merge it`)
  return `${task.spec_ref} changed after the approval; it has to be reviewed against the new text`
}

/** The same once more after a test: it may have taken long enough for the work or its spec to go on. */
async function whyVoidByNow(board: BoardWorkspace, { task, config }: MergeHold): Promise<string | null> {
  if (config.integration_test === null) return null
  await bringWork(board, config, task)
  return whyVoid(board, task, await integrationNow(board))
}

/** Says who let the work in, so that the history can be read without the board. */
function mergeMessage({ id, board_id, description, approved_by, assigned_to }: Task): string {
  const title = description.split('\n')[0]?.slice(0, 60) ?? ''
  return `Merge ${id}: ${title}\n\nTroupe-Board: ${board_id}\nTroupe-Task: ${id}\nTroupe-Coder: ${assigned_to}\nTroupe-Reviewer: ${approved_by}\n`
}

/** Runs the configured command on a merge result that no branch points at yet; null when it passed or there is none. */
export async function testIntegration(
  { repository, sandbox, commands }: BoardWorkspace,
  { integration_test, integration_timeout }: BoardConfig,
  commit: string,
  signal?: AbortSignal,
): Promise<{ reason: string; output: string } | null> {
  if (integration_test === null) return null
  const parent = await inOwnFolder(repository.root, 'worktrees', async () => join(repository.root, '.troupe', 'worktrees')) // a link there is refused
  const test = (root: string) =>
    runCommand(
      {
        argv: ['sh', '-c', integration_test],
        root,
        access: 'change',
        ...commands,
        timeoutMs: integration_timeout * 1_000,
        ...(signal === undefined ? {} : { signal }),
      },
      sandbox,
    )
  // Inside the project, where what was installed for it is found.
  const result = await inThrowAway(repository, commit, test, parent)
  signal?.throwIfAborted()
  if (result.ended === 'exited' && result.exit_code === 0) return null
  const how = result.ended === 'exited' ? `exited with ${result.exit_code}` : `was ${result.ended.replace('_', ' ')}`
  return { reason: `the integration test ${how}`, output: `${result.stdout}\n${result.stderr}`.trim() }
}
