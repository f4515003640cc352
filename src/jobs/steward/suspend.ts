import { moveJob, withNote, type Moved } from '../../domain/job/decide.ts'
import { resumeMoves } from '../../domain/job/flow.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import type { JobContext } from '../context.ts'
import { JobDecision, StewardNote, tellJob } from './decision.ts'
import { stopAgent } from '../step/stop-agent.ts'
import { changeJob } from '../step/save.ts'

/** The state it goes on in is remembered. */
export const suspendJob = defineOperation({
  name: 'job.suspend',
  summary: 'Pause a job, stopping its agent',
  by: ['person'],
  effect: 'change',
  command: 'job suspend <job> [note]',
  input: JobDecision.extend({ note: StewardNote }),
  output: Job,
  example: { job: 'greet' },
  tell: tellJob,
  run: async (context: JobContext, { job: id, note, moves }) => {
    const suspend = (was: Job): Moved => {
      const moved = moveJob(was, 'suspend', 'steward', note)
      const kept = { suspended_from: was.status, reason: was.reason, reason_text: was.reason_text }
      return { ...moved, job: withNote({ ...moved.job, ...kept }, 'steward', note, context.agent.now()) }
    }
    return stopAgent(context, await changeJob(context, id, suspend, moves))
  },
})

/** Nothing is resumed before the agent has been stopped. */
export const resumeJob = defineOperation({
  name: 'job.resume',
  summary: 'Resume a suspended job',
  by: ['person'],
  effect: 'change',
  command: 'job resume <job>',
  input: JobDecision,
  output: Job,
  example: { job: 'greet' },
  tell: tellJob,
  run: (context: JobContext, { job: id, moves }) => changeJob(context, id, resumed, moves),
})

function resumed(was: Job): Moved {
  const from = was.suspended_from
  if (from === null || !(from in resumeMoves)) return moveJob(was, 'resume_work', 'steward')
  if (was.active !== null) throw new Problem('busy', `the agent of ${was.id} is still being stopped; try again in a moment`)
  const moved = moveJob(was, resumeMoves[from as keyof typeof resumeMoves], 'steward') // proven by `in`
  const reasons = { reason: was.reason, reason_text: was.reason_text }
  return { ...moved, job: { ...moved.job, ...(moved.job.status === 'INTERVENTION_REQUIRED' && reasons), suspended_from: null } }
}
