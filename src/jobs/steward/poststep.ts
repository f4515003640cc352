import * as z from 'zod'
import { decide, moveJob } from '../../domain/job/decide.ts'
import { bySeat, isAgentWorking, JobSeat, seatFor } from '../../domain/job/flow.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { jobs } from '../../store/tables.ts'
import { jobContextIn, type JobContext } from '../context.ts'
import { JobDecision, tellJob } from './decision.ts'
import { beginByHand, notRunnable } from '../step/begin.ts'
import { concludeExchange } from '../step/conclude.ts'
import { exchangeIn, outcomeByHand } from '../step/exchange.ts'
import { changeJob, refuseUnread } from '../step/save.ts'

/** The same transition as in a step. An invalid answer is STUCK at once: nobody is there to repair it. */
export const poststepJob = defineOperation({
  name: 'job.poststep',
  summary: 'Give the answer of a step by hand, without an agent',
  by: ['person'],
  effect: 'change',
  command: 'job poststep [job]',
  input: JobDecision.extend({
    response_string: z.string().describe('the answer, with its exit command'),
    role: JobSeat.optional().describe('whose answer it is; refused when it is not their turn'),
  }),
  output: Job,
  example: { job: 'greet', response_string: '{"action": "COMPLETED", "evidence_files": [], "summary_for_supervisor": "Done."}' },
  tell: tellJob,
  run: async (context: JobContext, { job: id, response_string: raw, role, moves }) => {
    const was = await jobs.get(context.agent.driver, id)
    refuseUnread(was.item, moves)
    const due = seatDue(was.item, role)
    if (context.dry === true) return decideOnly(context, id, due, raw)
    const here = await jobContextIn(context, was.item)
    const job = await beginByHand(here, was)
    return concludeExchange(here, job, outcomeByHand(raw), new AbortController().signal)
  },
})

/** Where an answer would lead, without what git and the checks would say of it. */
function decideOnly(context: JobContext, id: string, seat: JobSeat, raw: string): Promise<Job> {
  return changeJob(context, id, (job) => {
    const begun = moveJob(job, bySeat[seat].begins, seat)
    const after = decide(begun.job, exchangeIn(raw), 'by_hand', context.agent.now())
    return { ...after, moves: [...begun.moves, ...after.moves] }
  })
}

/** Whose answer is awaited; refused where it is nobody's, or another's than the one that is meant. */
function seatDue(job: Job, seat: JobSeat | undefined): JobSeat {
  const due = seatFor(job.status)
  if (isAgentWorking(job.status)) throw new Problem('busy', `an agent of ${job.id} is at work; wait for it, or recover the job`)
  if (due === null) throw notRunnable(job)
  if (seat === undefined || due === seat) return due
  throw new Problem('move_refused', `${job.id} is ${job.status}, so the ${due} answers next, not the ${seat}`)
}
