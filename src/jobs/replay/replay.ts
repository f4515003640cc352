import * as z from 'zod'
import { approvePhase, askedIn, decide, freshCount, moveJob, type ExchangeResult } from '../../domain/job/decide.ts'
import { bySeat, jobFlow, type JobMoveName } from '../../domain/job/flow.ts'
import { ReplayDifference, type JobInteraction } from '../../domain/job/history.ts'
import type { Job, JobMove } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { asProblem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { jobs } from '../../store/tables.ts'
import { exchangeOf } from '../step/conclude.ts'
import { exchangeIn } from '../step/exchange.ts'
import type { JobReader } from '../context.ts'
import { NamedJob } from '../steward/decision.ts'
import { everyInteraction, InteractionNumber, jobMovesOf } from '../view/history.ts'

/** Today's reader and today's table decide; no model is asked. */
export const replayJob = defineOperation({
  name: 'job.replay',
  summary: 'Play the record through today’s rules without a model, and report every difference',
  by: ['person'],
  effect: 'read',
  command: 'job replay [job]',
  input: NamedJob.extend({ from: InteractionNumber.default(1).describe('only from this interaction on') }),
  output: z.object({ job_id: z.string(), interactions: z.int(), differences: z.array(ReplayDifference) }),
  example: { job: 'greet' },
  tell: ({ interactions, differences }) => `${counted(interactions, 'interaction')}, ${counted(differences.length, 'difference')}`,
  run: async ({ agent: { driver } }: JobReader, { job: job_id, from }) => {
    const { item: job } = await jobs.get(driver, job_id)
    const { interactions, differences } = await compare(job, everyInteraction(driver, job_id), await jobMovesOf(driver, job_id))
    return {
      job_id,
      interactions: Math.max(0, interactions - from + 1),
      differences: differences.filter(({ sequence }) => sequence >= from),
    }
  },
})

/** The recorded life of a job beside the one it would have today. */
async function compare(job: Job, history: AsyncIterable<JobInteraction>, made: readonly JobMove[]) {
  const differences: ReplayDifference[] = []
  const between = made.filter(({ sequence }) => sequence === null)
  let [at, interactions] = [0, 0]
  let simulated: Job = { ...freshCount(job), status: jobFlow.initial, current_phase: null, feedback: [], active: null }
  for await (const step of history) {
    interactions += 1
    const report = (what: ReplayDifference['what'], recorded: string, now: string) => {
      if (recorded !== now) differences.push({ sequence: step.sequence, what, recorded, now })
    }
    for (let next = between[at]; next !== undefined && next.number <= step.after_move; next = between[++at]) {
      simulated = applied(simulated, next, report)
    }
    simulated = { ...simulated, current_phase: step.interaction.request.metadata.phase }
    simulated = exchanged(simulated, step, report)
  }
  return { interactions, differences }
}

/** Moves after which what was counted against the agents starts again. */
const lookedAt: readonly JobMoveName[] = ['reject', 'resubmit', 'resubmit_review', 'restep', 'restep_review']

type Report = (what: ReplayDifference['what'], recorded: string, now: string) => void

/** A move between two exchanges: a person's, or the beginning of the next step. */
function applied(job: Job, recorded: JobMove, report: Report): Job {
  try {
    const name = recorded.move as JobMoveName // the table refuses a name it does not know
    const moved = name === 'approve_phase' || name === 'approve_job' ? approvePhase(job, 'steward', '') : moveJob(job, name, recorded.actor)
    report('move', recorded.to, moved.job.status)
    return lookedAt.includes(name) ? freshCount(moved.job) : moved.job
  } catch (error) {
    report('move', `${recorded.move} from ${recorded.from} to ${recorded.to}`, asProblem(error).message)
    return { ...job, status: recorded.to }
  }
}

function exchanged(job: Job, step: JobInteraction, report: Report): Job {
  const { at_work: atWork } = bySeat[step.seat]
  report('state_before', atWork, job.status)
  const then = exchangeOf(step)
  const today = then.type === 'command' || then.type === 'invalid' ? exchangeIn(step.interaction.response.raw_response) : then
  report('command', told(then), told(today))
  const settings = step.settings ?? job
  const working: Job = { ...job, status: atWork, auto_approve: settings.auto_approve, limits: { ...job.limits, ...settings.limits } }
  const after = decide(working, today, askedIn(step), new Date(step.interaction.timestamp)).job
  report('state_after', step.state_after, after.status)
  return { ...after, status: step.state_after }
}

function told(exchange: ExchangeResult): string {
  if (exchange.type === 'command') return JSON.stringify(exchange.command)
  if (exchange.type === 'invalid') return `invalid: ${exchange.error}`
  return exchange.type === 'question' ? `question: ${exchange.question}` : `failed: ${exchange.failure.code}`
}
