import { decide, moveJob } from '../domain/job/decide.ts'
import { bySeat, isAgentWorking, seatFor, type JobSeat } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { beginByHand, notRunnable } from './step/begin.ts'
import { concludeExchange } from './step/conclude.ts'
import { exchangeIn, outcomeByHand } from './step/exchange.ts'
import { jobContextIn, type JobContext } from './context.ts'

/** Carries an answer through the same transition as a step, without an agent. An invalid one is STUCK at once: nobody is there to repair it. */
export async function poststepJob(context: JobContext, jobId: string, raw: string, seat?: JobSeat): Promise<Job> {
  const was = await jobs.get(context.agent.driver, jobId)
  seatDue(was.item, seat)
  const here = await jobContextIn(context, was.item)
  const job = await beginByHand(here, was)
  return concludeExchange(here, job, outcomeByHand(raw), new AbortController().signal)
}

/** What `poststep` would do: the move and the state it leads to. Nothing is changed. */
export async function poststepPreview(context: JobContext, jobId: string, raw: string, seat?: JobSeat) {
  const { item: job } = await jobs.get(context.agent.driver, jobId)
  const due = seatDue(job, seat)
  const exchange = exchangeIn(raw)
  const working = moveJob(job, bySeat[due].begins, due).job
  const after = decide(working, exchange, 'by_hand', context.agent.now())
  return { exchange, moves: after.moves, state_before: job.status, state_after: after.job.status }
}

/** Whose answer is awaited; refused where it is nobody's, or another's than the one that is meant. */
function seatDue(job: Job, seat: JobSeat | undefined): JobSeat {
  const due = seatFor(job.status)
  if (isAgentWorking(job.status)) throw new Problem('busy', `an agent of ${job.id} is at work; wait for it, or recover the job`)
  if (due === null) throw notRunnable(job)
  if (seat === undefined || due === seat) return due
  throw new Problem('move_refused', `${job.id} is ${job.status}, so the ${due} answers next, not the ${seat}`)
}
