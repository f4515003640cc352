import { moveJob } from '../../domain/job/decide.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { JobContext } from '../context.ts'
import { JobDecision, StewardNote, tellJob } from './decision.ts'
import { stopAgent } from '../step/stop-agent.ts'
import { changeJob } from '../step/save.ts'

/** Its branch, history and workspace stay. */
export const cancelJob = defineOperation({
  name: 'job.cancel',
  summary: 'Cancel a job for good and stop its agent; its work and history are kept',
  by: ['person'],
  effect: 'final',
  command: 'job cancel <job> [note]',
  input: JobDecision.extend({ note: StewardNote.describe('why it is not wanted any more') }),
  output: Job,
  example: { job: 'greet', note: 'Not wanted any more' },
  tell: tellJob,
  run: async (context: JobContext, { job: id, note, moves }) => {
    const job = await changeJob(context, id, (was) => moveJob(was, 'cancel', 'steward', note), moves)
    return stopAgent(context, job)
  },
})
