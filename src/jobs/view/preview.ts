import { existsSync } from 'node:fs'
import * as z from 'zod'
import { JobSeat, seatFor } from '../../domain/job/flow.ts'
import { InteractionRequest } from '../../domain/job/history.ts'
import { Job, JobReason } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { commitOf } from '../../worktrees/repository.ts'
import { jobs } from '../../store/tables.ts'
import { NamedJob } from '../steward/decision.ts'
import { reachedJobLimit } from '../step/limits.ts'
import { composeStep } from '../step/prompt.ts'
import { jobContextIn, type JobContext } from '../context.ts'
import { sourceOf } from '../workspace.ts'

/** Nothing is written, made or asked. */
export const previewStep = defineOperation({
  name: 'job.preview',
  summary: 'Show who acts next, with which model and which prompt',
  by: ['person'],
  effect: 'read',
  command: 'job preview [job]',
  input: NamedJob,
  output: z.object({
    job_id: z.string(),
    status: Job.shape.status,
    seat: JobSeat,
    limit: z.object({ reason: JobReason, text: z.string() }).nullable().describe('what would stop it first'),
    request: InteractionRequest,
  }),
  example: { job: 'greet' },
  tell: ({ seat, request }) => `${seat} with ${request.metadata.model}`,
  run: async (context: JobContext, { job: job_id }) => {
    const { item: job } = await jobs.get(context.agent.driver, job_id)
    const seat = seatFor(job.status === 'DRAFT' ? 'PENDING' : job.status)
    if (seat === null) throw new Problem('move_refused', `the job ${job_id} is ${job.status}; no agent acts next`)
    await sourceOf(job) // a repository that moved is named as such, not as a workspace without commits
    const head = existsSync(job.workspace) ? await commitOf(job.workspace, 'HEAD') : (job.head_commit ?? '')
    const { request } = await composeStep(await jobContextIn(context, job), job, seat, head)
    return { job_id, status: job.status, seat, limit: reachedJobLimit(job), request }
  },
})
