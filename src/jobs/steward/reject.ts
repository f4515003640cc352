import { freshCount, moveJob, withNote } from '../../domain/job/decide.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import type { JobContext } from '../context.ts'
import { JobDecision, tellJob } from './decision.ts'
import { changeJob } from '../step/save.ts'

/** The reason is in the next prompt of the Worker, in place of all older notes. */
export const rejectJob = defineOperation({
  name: 'job.reject',
  summary: 'Send a phase back to the Worker, with the reason',
  by: ['person'],
  effect: 'change',
  command: 'job reject <job> <reason>',
  input: JobDecision.extend({ reason: NonBlank.max(10_000).describe('what the Worker is to do differently') }),
  output: Job,
  example: { job: 'greet', reason: 'The tests are missing' },
  tell: tellJob,
  run: (context: JobContext, { job: id, reason, moves }) =>
    changeJob(
      context,
      id,
      (job) => {
        const moved = moveJob(job, 'reject', 'steward', reason)
        const fresh = { ...freshCount(moved.job), feedback: [] }
        return { ...moved, job: withNote(fresh, 'steward', `Rejected: ${reason}`, context.agent.now()) }
      },
      moves,
    ),
})
