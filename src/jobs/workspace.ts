import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git/git.ts'
import { hideJob } from '../sandbox/files/store-paths.ts'
import { branchHead } from '../worktrees/branch.ts'
import { agentAuthor, commitAll } from '../worktrees/commit.ts'
import { commitOf, openRepository, type Repository } from '../worktrees/repository.ts'
import { statusOf, type CheckoutStatus } from '../worktrees/status.ts'
import { createWorktree, restoreWorktree, worktreeStatus } from '../worktrees/worktree.ts'

/** The repository a job works for; one that moved is named, with the way to say where it is now. */
export async function sourceOf(job: Job): Promise<Repository> {
  if (existsSync(job.git_source_repo)) return openRepository(job.git_source_repo)
  throw new Problem('not_found', `the source repository of ${job.id} is no longer at ${job.git_source_repo}; say where it is now`, {
    details: { job_id: job.id, git_source_repo: job.git_source_repo },
    next: [{ operation: 'job.configure', input: { job: job.id, source: 'PATH' } }],
  })
}

/** Makes the workspace of a job at its recorded base; the user's own checkout is not affected. */
export async function makeWorkspace(job: Job, base_commit: string): Promise<void> {
  const repository = await sourceOf(job)
  if ((await statusIn(repository, job)) !== null) return // made before, and then the process died
  await createWorktree(repository, job.workspace, job.branch, base_commit)
}

/** The workspace as it must be before a step: there, on its branch, everything in it committed. Gives the commit it is at. */
export async function readyWorkspace(job: Job): Promise<string> {
  hideJob(job.directory) // its history and what other seats were told are not for the agent
  const repository = await sourceOf(job)
  const { head, files } = (await statusIn(repository, job)) ?? (await restoreWorkspace(repository, job))
  if (head !== null && files.length === 0) return head
  const found = await commitAll(job.workspace, `Changes found before the next step of ${job.id}`, agentAuthor('steward'))
  return found ?? commitOf(job.workspace, 'HEAD')
}

const LOCK_PATIENCE_MS = 5_000

/** The workspace of a step that a dead process left: there again if somebody deleted it, and without the lock of a git that died too. One that still works is given the time to end. */
export async function freeWorkspace(job: Job): Promise<void> {
  const repository = await sourceOf(job)
  if (!existsSync(job.workspace)) await restoreWorkspace(repository, job)
  const listed = await git(job.workspace, ['rev-parse', '--git-path', 'index.lock', '--git-path', 'HEAD.lock'])
  const locks = listed.stdout.split('\n').filter((path) => path !== '')
  const until = Date.now() + LOCK_PATIENCE_MS
  for (const lock of locks.map((path) => resolve(job.workspace, path))) {
    while (existsSync(lock) && Date.now() < until) await sleep(50)
    await rm(lock, { force: true })
  }
}

/** A workspace that was deleted comes back from its branch, a branch that was deleted from the last commit we saw on it. */
async function restoreWorkspace(repository: Repository, job: Job): Promise<CheckoutStatus> {
  if (existsSync(job.workspace)) {
    await git(repository.root, ['worktree', 'repair', job.workspace])
    const repaired = await statusIn(repository, job)
    if (repaired !== null) return repaired
    throw new Problem(
      'conflict',
      `${job.workspace} is not the worktree of ${job.branch} any more; move it away, and it is recreated from the branch`,
    )
  }
  if ((await branchHead(repository, job.branch)) === null) {
    await createWorktree(repository, job.workspace, job.branch, job.head_commit ?? job.base_commit ?? job.base)
  } else {
    await restoreWorktree(repository, job.workspace, job.branch)
  }
  return statusOf(job.workspace)
}

function statusIn(repository: Repository, { workspace, branch }: Job): Promise<CheckoutStatus | null> {
  return worktreeStatus(repository, { path: workspace, branch })
}

/** Makes the worktree of a job and its source repository, which has moved, find each other again. */
export async function repairWorktree(job: Job, root: string): Promise<void> {
  if (job.base_commit !== null) await git(root, ['worktree', 'repair', job.workspace])
}

/** Where the source repository of a job has moved to. It must be the same repository: the job's own commits are in it. */
export async function movedSource(job: Job, folder: string): Promise<string> {
  const repository = await openRepository(folder)
  if (job.base_commit !== null && (await branchHead(repository, job.branch)) === null) {
    throw new Problem('bad_input', `${repository.root} has no branch ${job.branch}: it is not the repository ${job.id} was made from`)
  }
  return repository.root
}
