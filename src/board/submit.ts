import { Problem } from '../domain/problem.ts'
import { Sha, type Task } from '../domain/task.ts'
import { boards } from '../store/tables.ts'
import { branchHead } from '../worktrees/branch.ts'
import { uncommittedFiles } from '../worktrees/commit.ts'
import { gitText, isAncestor } from '../worktrees/repository.ts'
import { isWorktree } from '../worktrees/worktree.ts'
import { sayActivity } from './activity.ts'
import type { Desk, Identity } from './desk.ts'
import { needTask } from './find.ts'
import { moveAgent, moveTask, mustHold, mustMove } from './move.ts'
import { placeOf } from './prepare-worktree.ts'
import { shareWork } from './shared-branches.ts'
import { standingOf } from './standing.ts'

/** Hands a commit over for review. It must be what the branch stands at, with nothing left uncommitted beside it. */
export async function submitTask(desk: Desk, identity: Identity, taskId: string, commit: string): Promise<Task> {
  if (!Sha.safeParse(commit).success) throw new Problem('bad_input', `${JSON.stringify(commit)} is not the full id of a commit`)
  const before = await desk.driver.transaction(async (tx) => {
    const who = await standingOf(tx, desk.board_id, identity)
    const { item } = await needTask(tx, desk.board_id, taskId)
    mustMove(item, 'submit', who)
    mustHold(item, who)
    return item
  })
  const base_commit = await checkWork(desk, before, commit)
  return desk.driver.transaction(async (tx) => {
    const who = await standingOf(tx, desk.board_id, identity)
    const was = await needTask(tx, desk.board_id, taskId)
    mustMove(was.item, 'submit', who)
    mustHold(was.item, who)
    const submitted = await moveTask(
      tx,
      was,
      { move: 'submit', by: who, event: 'submitted_for_review', about: { commit } },
      { review_commit: commit, base_commit, claim_generation: null, lease_expires: null },
    )
    if (who.agent !== null) await moveAgent(tx, who.agent, 'wait', { current_task: null })
    await sayActivity(tx, desk.board_id, { agent: who.id, action: 'ready_for_review', task: taskId, detail: `submitted ${commit}` })
    return submitted.item
  })
}

/** Gives back the commit a reviewer compares with. */
async function checkWork(desk: Desk, task: Task, commit: string): Promise<string> {
  const { repository, driver, board_id } = desk
  const { path, branch } = placeOf(repository.root, task)
  if (!(await isWorktree(repository, { path, branch }))) {
    throw new Problem('conflict', `the worktree of ${task.id} at ${path} does not stand on ${branch}; a heartbeat lays it out again`)
  }
  const head = await branchHead(repository, branch)
  if (head !== commit) throw new Problem('conflict', `${branch} stands at ${head}, not at ${commit}; submit what the branch stands at`)
  const left = await uncommittedFiles(path)
  if (left.length > 0) {
    throw new Problem(
      'conflict',
      `${task.id} has uncommitted files: ${left.slice(0, 10).join(', ')}; commit or remove them before handing over`,
      {
        details: { files: left },
      },
    )
  }
  const { config } = (await boards.get(driver, board_id)).item
  const base = task.integration_fix ? await gitText(repository.root, ['merge-base', config.integration_branch, commit]) : task.base_commit
  if (base === null || commit === base || !(await isAncestor(repository.root, base, commit))) {
    throw new Problem('conflict', `${commit} holds no work on top of ${base}; commit the work to ${branch} first`)
  }
  if (desk.dry !== true) await shareWork(desk, config, task)
  return base
}
