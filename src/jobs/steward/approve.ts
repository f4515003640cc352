import { approvePhase, withNote } from '../../domain/job/decide.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { JobContext } from '../context.ts'
import { JobDecision, StewardNote, tellJob } from './decision.ts'
import { changeJob } from '../step/save.ts'

/** The note is in the prompt of the next phase. */
export const approveJob = defineOperation({
  name: 'job.approve',
  summary: 'Approve a phase: the next one starts, or the job is a SUCCESS',
  by: ['person'],
  effect: 'change',
  command: 'job approve <job> [note]',
  input: JobDecision.extend({ note: StewardNote }),
  output: Job,
  example: { job: 'greet', note: 'Good' },
  tell: tellJob,
  run: (context: JobContext, { job: id, note, moves }) =>
    changeJob(
      context,
      id,
      (job) => {
        const moved = approvePhase(job, 'steward', note)
        return { ...moved, job: withNote(moved.job, 'steward', note, context.agent.now()) }
      },
      moves,
    ),
})
