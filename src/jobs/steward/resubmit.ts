import * as z from 'zod'
import { freshCount, moveJob, withNote } from '../../domain/job/decide.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { JobContext } from '../context.ts'
import { JobDecision, StewardNote, tellJob } from './decision.ts'
import { changeJob } from '../step/save.ts'

/** What was counted against its agents starts again. */
export const resubmitJob = defineOperation({
  name: 'job.resubmit',
  summary: 'Send a stopped job back to the Worker, or straight to review',
  by: ['person'],
  effect: 'change',
  command: 'job resubmit <job> [note]',
  input: JobDecision.extend({ note: StewardNote, review: z.boolean().default(false).describe('to the Supervisor instead of the Worker') }),
  output: Job,
  example: { job: 'greet', note: 'Call it hello.txt' },
  tell: tellJob,
  run: (context: JobContext, { job: id, note, review, moves }) =>
    changeJob(
      context,
      id,
      (job) => {
        const moved = moveJob(job, review ? 'resubmit_review' : 'resubmit', 'steward', note)
        return { ...moved, job: withNote(freshCount(moved.job), 'steward', note, context.agent.now()) }
      },
      moves,
    ),
})
