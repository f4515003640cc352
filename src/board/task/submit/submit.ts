import { existsSync } from 'node:fs'
import * as z from 'zod'
import type { BoardConfig } from '../../../domain/board/board.ts'
import { Problem } from '../../../domain/problem.ts'
import { defineOperation } from '../../../domain/operation.ts'
import { NonBlank } from '../../../domain/text/fields.ts'
import { Sha, TaskId, TaskRecord, type Task, type TaskClaim, type TaskGit } from '../../../domain/board/task.ts'
import type { Stored } from '../../../store/collection.ts'
import type { Driver } from '../../../store/driver.ts'
import { boards } from '../../../store/tables.ts'
import { git } from '../../../sandbox/git/git.ts'
import { commitOf, isAncestor } from '../../../worktrees/repository.ts'
import { changedFiles } from '../../../worktrees/diff.ts'
import { worktreeStatus } from '../../../worktrees/worktree.ts'
import { recordActivity } from '../../activity.ts'
import { needIdentity, type RecordsContext, type BoardWorkspace, type Identity } from '../../context.ts'
import { filesBeyondCheckpoint, logBeyondScope, logDeviation } from '../../agent/duties.ts'
import { needTask } from '../../find.ts'
import { moveAgent, moveTask, refuseOtherHolder, refuseMove, withoutClaim } from '../move.ts'
import { placeOf } from '../../worktree/prepare.ts'
import { filesBeyondScope } from './tests-in-range.ts'
import { shareWork } from '../../goal/shared-branches.ts'
import { knownActor, type KnownActor } from '../../agent/known-actor.ts'
import { refuseSubmission, submissionFaults, submissionOf, type SubmissionFault } from './submission-checks.ts'

/** What the checks of a submission stop goes on with an override, which the reviewer reads. */
export const submitForReview = defineOperation({
  name: 'board.submit_for_review',
  summary: 'Hand committed work over for review',
  advice: 'Hand your committed work over for review. Everything must be committed; your part ends here.',
  by: ['coder'],
  needs: ['read_files', 'write_files'],
  effect: 'change',
  ends: true,
  command: 'board submit <task> [commit]',
  input: z.strictObject({
    task: TaskId,
    commit: z.string().optional().describe('the head of your branch when left out'),
    override: NonBlank.max(4_000)
      .optional()
      .describe('only after a submission was stopped: why it is right as it is; the reviewer reads it'),
  }),
  output: TaskRecord,
  example: { task: 'task-1' },
  tell: (task) => {
    const { outside_scope } = submissionOf(task)
    const warning = outside_scope.length === 0 ? '' : `. Outside the scope, and told to the reviewer: ${outside_scope.join(', ')}`
    return `${task.id} is ${task.status} at ${task.review_commit}${warning}`
  },
  run: async (context: BoardWorkspace & RecordsContext, { task, commit, override = null }) => {
    const coder = needIdentity(context.actor)
    const { item } = await heldTask(context.driver, context.board_id, coder, task)
    const { path } = placeOf(context.repository.root, item)
    if (!existsSync(path))
      throw new Problem('conflict', `there is no worktree of ${task} here; claim it first`, {
        next: [{ operation: 'board.claim_task', input: { task } }],
      })
    const named = commit === undefined ? null : await commitOf(path, commit)
    return submitTask(context, coder, task, named, override)
  },
})

/**
 * Hands a commit over for review. It must be what the branch is at (and is, when null), with nothing left uncommitted beside it.
 * What the checks of a submission stop goes on with an override: its coder's reason, for the reviewer to read.
 */
export async function submitTask(
  board: BoardWorkspace,
  identity: Identity,
  taskId: string,
  named: string | null,
  override: string | null = null,
): Promise<Task> {
  if (named !== null && !Sha.safeParse(named).success)
    throw new Problem('bad_input', `${JSON.stringify(named)} is not the full id of a commit`)
  const { item } = await heldTask(board.driver, board.board_id, identity, taskId)
  const { commit, base_commit, config } = await checkWork(board, item, named)
  const { root } = board.repository
  // What such a task brings in was written elsewhere, and is there already.
  const faults = item.takes_in === null ? await submissionFaults(root, config, item, base_commit, commit) : []
  refuseSubmission(item, faults, override)
  const beyond = await filesBeyondCheckpoint(board, item, base_commit, commit)
  const touched = (await changedFiles(root, base_commit, commit)).map(({ path }) => path)
  const outside_scope = item.takes_in === null ? filesBeyondScope(item.scope, touched, config.test_paths) : []
  if (board.dry !== true) await shareWork(board, config, item)
  return board.driver.transaction(async (tx) => {
    const { who, ...was } = await heldTask(tx, board.board_id, identity, taskId)
    const about = { commit, ...overridden(faults, override), ...(outside_scope.length > 0 && { outside_scope }) }
    const step = { move: 'submit', by: who, event: 'submitted_for_review', about } as const
    const submitted = await moveTask(tx, was, step, { ...withoutClaim, review_commit: commit, base_commit })
    if (who.agent !== null) await moveAgent(tx, who.agent, 'wait', { current_task: null })
    await recordActivity(tx, board.board_id, { agent: who.id, action: 'ready_for_review', task: taskId, detail: `submitted ${commit}` })
    if (override !== null && faults.length > 0) {
      const detail = `${faults.map(({ reason }) => reason).join('; ')}. Reason: ${override}`
      await recordActivity(tx, board.board_id, { agent: who.id, action: 'submission_override', task: taskId, detail })
    }
    await logDeviation(tx, submitted.item, beyond)
    await logBeyondScope(tx, submitted.item, outside_scope)
    return submitted.item
  })
}

function overridden(faults: readonly SubmissionFault[], override: string | null) {
  return faults.length === 0 ? {} : { overridden: faults.map(({ check }) => check), override }
}

/** The task, if it is this coder's to hand in. Asked before git is, for a quick answer, and again in the transaction that counts. */
async function heldTask(driver: Driver, boardId: string, identity: Identity, taskId: string): Promise<Stored<Task> & { who: KnownActor }> {
  const who = await knownActor(driver, boardId, identity)
  const was = await needTask(driver, boardId, taskId)
  refuseMove(was.item, 'submit', who)
  refuseOtherHolder(was.item, who)
  return { ...was, who }
}

/** Gives back what is handed in, and the commit a reviewer compares it with. */
async function checkWork(
  board: BoardWorkspace,
  task: Task,
  named: string | null,
): Promise<{ commit: string; base_commit: string; config: BoardConfig }> {
  const { repository, driver, board_id } = board
  const { path, branch } = placeOf(repository.root, task)
  const status = await worktreeStatus(repository, { path, branch })
  if (status === null) {
    throw new Problem('conflict', `the worktree of ${task.id} at ${path} is not on branch ${branch}; the next heartbeat recreates it`)
  }
  const { head, files: left } = status
  const commit = named ?? head
  if (commit === null || head !== commit)
    throw new Problem('conflict', `${branch} is at ${head}, not at ${commit}; submit the head of the branch`)
  if (left.length > 0) {
    throw new Problem(
      'conflict',
      `${task.id} has uncommitted files: ${left.slice(0, 10).join(', ')}; commit or remove them before handing over`,
      { details: { files: left } },
    )
  }
  const { config } = (await boards.get(driver, board_id)).item
  const base = await baseOf(repository.root, task, config.integration_branch, commit)
  if (base === null || commit === base || !(await isAncestor(repository.root, base, commit))) {
    throw new Problem('conflict', `${commit} has no work on top of ${base}; commit the work to ${branch} first`)
  }
  if (task.takes_in !== null && !(await isAncestor(repository.root, task.takes_in, commit))) {
    throw new Problem('conflict', `${task.id} brings in ${task.takes_in}, which ${commit} does not contain; merge it first`)
  }
  return { commit, base_commit: base, config }
}

/** Where the work begins: after what the branch has taken over from integration, so that a reviewer sees the work alone. */
async function baseOf(
  root: string,
  { integration_fix, base_commit }: TaskClaim & TaskGit,
  integration: string,
  commit: string,
): Promise<string | null> {
  const { stdout, exit_code } = await git(root, ['merge-base', integration, commit])
  const shared = exit_code === 0 ? stdout.trim() : null
  if (integration_fix || shared === null || base_commit === null) return shared ?? base_commit
  return shared !== commit && (await isAncestor(root, base_commit, shared)) ? shared : base_commit
}
