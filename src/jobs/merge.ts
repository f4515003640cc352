import * as z from 'zod'
import { ChangedFile } from '../domain/changed-file.ts'
import { jobTitle, type Job } from '../domain/job/job.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { shortIds } from '../domain/text/format.ts'
import { branchHead, checkoutOf, moveBranch } from '../worktrees/branch.ts'
import { agentAuthor } from '../worktrees/commit.ts'
import { changedFiles } from '../worktrees/diff.ts'
import { mergeCommits } from '../worktrees/merge.ts'
import { gitText, isAncestor, type Repository } from '../worktrees/repository.ts'
import { jobs } from '../store/tables.ts'
import type { JobContext } from './context.ts'
import { NamedJob } from './steward/decision.ts'
import { changeJob } from './step/save.ts'
import { rangeOf } from './view/diff.ts'
import { sourceOf } from './workspace.ts'

/** Into a branch of the source repository, without a checkout. */
export const mergeJob = defineOperation({
  name: 'job.merge',
  summary: 'Merge a job that is a SUCCESS into a branch that is not checked out',
  by: ['person'],
  effect: 'change',
  command: 'job merge [job]',
  input: NamedJob.extend({ into: z.string().min(1).optional().describe('the branch (the one the job started from)') }),
  output: z.object({ job_id: z.string(), branch: z.string(), into: z.string(), merged_commit: z.string(), files: z.array(ChangedFile) }),
  example: { job: 'greet', into: 'main' },
  tell: ({ branch, into, merged_commit }) => `${branch} is merged into ${into} as ${merged_commit}`,
  run: async (context: JobContext, { job: id, into: wanted }) => {
    const { item: job } = await jobs.get(context.agent.driver, id)
    const { branch: into, commit: merged_commit } = context.dry === true ? await tryMerge(job, wanted) : await mergeInto(job, wanted)
    await changeJob(context, id, (was) => ({ job: { ...was, merged_commit }, moves: [] }))
    const { base, head, root } = await rangeOf(job)
    return { job_id: id, branch: job.branch, into, merged_commit, files: await changedFiles(root, base, head) }
  },
})

/** Somebody may move the branch meanwhile; then the merge is made again on top of it. */
const TRIES = 5

async function mergeInto(job: Job, into: string | undefined): Promise<Merge> {
  const repository = await sourceOf(job)
  for (let tries = 0; tries < TRIES; tries++) {
    const merge = await tryMerge(job, into)
    if (merge.before || (await moveBranch(repository, merge.branch, merge.onto, merge.commit)) === 'moved') return merge
  }
  throw new Problem('busy', `its branch moved ${TRIES} times while ${job.branch} was merged; try again`)
}

/** A commit that merges a job onto the head of a branch; `before` where it is there already. */
interface Merge {
  branch: string
  onto: string
  commit: string
  before: boolean
}

/** The merge of an approved job as it would be, or why it cannot be; no branch is moved. */
async function tryMerge(job: Job, into: string | undefined): Promise<Merge> {
  if (job.status !== 'SUCCESS') throw new Problem('move_refused', `${job.id} is ${job.status}; only a job that is a SUCCESS is merged`)
  const branch = into ?? job.base_branch
  if (branch === null)
    throw new Problem('bad_input', `${job.id} started from no branch; say which one to merge into`, {
      next: [{ operation: 'job.merge', input: { job: job.id, into: 'BRANCH' } }],
    })
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
  const ways = `merge there yourself (git merge ${shortIds(head)}), or name another branch to merge into`
  throw new Problem('conflict', `${branch} is checked out in ${holder} and is not moved under you; ${ways}`)
}

/** The commit that brought the work into a branch, where it is there already: a process may have died before it could say so. */
async function mergedBefore(root: string, head: string, onto: string): Promise<string | null> {
  if (!(await isAncestor(root, head, onto))) return null
  const since = await gitText(root, ['rev-list', '--ancestry-path', '--reverse', `${head}..${onto}`])
  return since.split('\n')[0] || onto
}
