import { existsSync } from 'node:fs'
import { seatFor } from '../../domain/job/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { commitOf } from '../../worktrees/repository.ts'
import { jobs } from '../../store/tables.ts'
import { reachedJobLimit } from '../step/limits.ts'
import { composeStep } from '../step/prompt.ts'
import { jobContextIn, type JobContext } from '../context.ts'
import { sourceOf } from '../workspace.ts'

/** The next step as it would be: who acts, with which model and which prompt. Nothing is written, made or asked. */
export async function previewStep(context: JobContext, jobId: string) {
  const { item: job } = await jobs.get(context.agent.driver, jobId)
  const seat = seatFor(job.status === 'DRAFT' ? 'PENDING' : job.status)
  if (seat === null) throw new Problem('move_refused', `the job ${jobId} is ${job.status}; no agent acts next`)
  await sourceOf(job) // a repository that moved is named as such, not as a workspace without commits
  const head = existsSync(job.workspace) ? await commitOf(job.workspace, 'HEAD') : (job.head_commit ?? '')
  const { request } = await composeStep(await jobContextIn(context, job), job, seat, head)
  return { job_id: jobId, status: job.status, seat, limit: reachedJobLimit(job), request }
}
