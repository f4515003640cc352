import { closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ChangedFile } from '../../domain/changed-file.ts'
import { jobTitle, type Job } from '../../domain/job/job.ts'
import { Problem } from '../../domain/problem.ts'
import { shortIds } from '../../domain/text/short-ids.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { branchHead, checkoutOf, moveBranch } from '../../worktrees/branch.ts'
import { agentAuthor } from '../../worktrees/commit.ts'
import { changedFiles, patchBetween } from '../../worktrees/diff.ts'
import { mergeCommits } from '../../worktrees/merge.ts'
import { commitOf, gitText, isAncestor, type Repository } from '../../worktrees/repository.ts'
import { jobs } from '../../store/tables.ts'
import { changeJob } from '../step/save.ts'
import type { JobContext } from '../context.ts'
import { sourceOf } from '../workspace.ts'

/** What a job has changed since its base: the files, and the patch, cut in the middle where it is very large. */
export async function diffOf(job: Job): Promise<{ base_commit: string; head_commit: string; files: ChangedFile[]; patch: string }> {
  const { base, head, root } = await rangeOf(job)
  return { base_commit: base, head_commit: head, files: await changedFiles(root, base, head), patch: await patchBetween(root, base, head) }
}

/** Writes the whole result as a patch that `git apply` takes. A file that is there already may be somebody's work; one that cannot be made is an error of the system's. */
export async function exportPatch(job: Job, file: string): Promise<string> {
  const { base, head, root } = await rangeOf(job)
  const path = resolve(file)
  refuseExisting(file)
  closeSync(openSync(path, 'a')) // git would tell in its own words that there is no such folder
  await gitText(root, ['diff', '--no-color', '--binary', `--output=${path}`, base, head])
  return path
}

/** Merges an approved job into a branch of the source repository that nobody has checked out. */
export async function mergeJob(context: JobContext, jobId: string, into?: string): Promise<Job> {
  const { driver, now } = context.agent
  const { item: job } = await jobs.get(driver, jobId)
  const commit = await mergeInto(job, into)
  return changeJob(driver, jobId, now(), (was) => ({ job: { ...was, merged_commit: commit }, moves: [] }))
}

/** Somebody may move the branch meanwhile; then the merge is made anew on top of it. */
const TRIES = 5

async function mergeInto(job: Job, into: string | undefined): Promise<string> {
  const repository = await sourceOf(job)
  for (let tries = 0; tries < TRIES; tries++) {
    const { branch, onto, commit, before } = await tryMerge(job, into)
    if (before || (await moveBranch(repository, branch, onto, commit)) === 'moved') return commit
  }
  throw new Problem('busy', `its branch moved ${TRIES} times while ${job.branch} was merged; try again`)
}

/** The merge of an approved job as it would be, or why it cannot be; no branch is moved. */
export async function tryMerge(
  job: Job,
  into: string | undefined,
): Promise<{ branch: string; onto: string; commit: string; before: boolean }> {
  if (job.status !== 'SUCCESS') throw new Problem('move_refused', `${job.id} is ${job.status}; only a job that is a SUCCESS is merged`)
  const branch = into ?? job.base_branch
  if (branch === null) throw new Problem('bad_input', `${job.id} started from no branch; say which one to merge into: --into BRANCH`)
  const { head } = await rangeOf(job)
  const repository = await sourceOf(job)
  const onto = await branchHead(repository, branch)
  if (onto === null) throw new Problem('not_found', `${repository.root} has no branch ${branch}`)
  const before = await mergedBefore(repository.root, head, onto)
  if (before !== null) return { branch, onto, commit: before, before: true }
  await refuseCheckedOut(repository, branch, head)
  const message = `Merge ${job.branch}\n\n${jobTitle(job)}`
  const merged = await mergeCommits(repository, { onto, commit: head, message, author: agentAuthor('steward') })
  if (merged.outcome !== 'conflict') return { branch, onto, commit: merged.commit, before: false }
  throw new Problem('conflict', `${job.branch} does not merge into ${branch}: ${merged.files.join(', ')} are in conflict`, {
    details: { files: merged.files, output: merged.output },
  })
}

/** The commit is named, for the branch of a job is gone once it was cleaned up. */
async function refuseCheckedOut(repository: Repository, branch: string, head: string): Promise<void> {
  const holder = await checkoutOf(repository, branch)
  if (holder === null) return
  const ways = `merge there yourself (git merge ${shortIds(head)}), or name another branch with --into`
  throw new Problem('conflict', `${branch} is checked out in ${holder} and is not moved under you; ${ways}`)
}

/** The commit that brought the work into a branch, where it is there already: a process may have died before it could say so. */
async function mergedBefore(root: string, head: string, onto: string): Promise<string | null> {
  if (!(await isAncestor(root, head, onto))) return null
  const since = await gitText(root, ['rev-list', '--ancestry-path', '--reverse', `${head}..${onto}`])
  return since.split('\n')[0] || onto
}

async function rangeOf(job: Job): Promise<{ base: string; head: string; root: string }> {
  if (job.base_commit === null) throw new Problem('move_refused', `${job.id} is a draft: it has no result yet`)
  const { root } = await sourceOf(job)
  return { base: job.base_commit, head: job.head_commit ?? (await commitOf(root, job.branch)), root }
}
