import * as z from 'zod'
import { runInBackground, type Playing } from '../agent/run/background.ts'
import { isAgentWorking, seatFor } from '../domain/job/flow.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { jobContextIn, type JobContext } from './context.ts'
import { NamedJob } from './steward/decision.ts'
import { runJobs } from './run.ts'
import { refuseAtWork, stepJob } from './step/step.ts'

/** The jobs a long-lived process is working on. */
export interface JobPlays extends JobContext {
  playing: Playing
}

/** How it goes is in the job's record, so nobody has to wait for it. */
export const startJob = defineOperation({
  name: 'job.start',
  summary: 'Run the next agent in the background: for one step, or until a person is needed',
  by: ['person'],
  effect: 'change',
  input: NamedJob.extend({ how_far: z.enum(['step', 'run']).default('step') }),
  output: z.object({ started: z.literal(true) }),
  example: { job: 'greet', how_far: 'run' },
  absent: {
    cli: 'the terminal plays it in the foreground: job step and job run',
    dry_run: 'what an agent does cannot be known without asking it; job.preview tells what it would be asked',
  },
  tell: () => 'started',
  run: async ({ playing, ...context }: JobPlays, { job: id, how_far }) => {
    const { item: job } = await jobs.get(context.agent.driver, id)
    if (playing.has(id)) throw new Problem('busy', `${id} is at work already`)
    if (isAgentWorking(job.status)) await refuseAtWork(context.agent.driver, job)
    if (seatFor(job.status) === null) throw new Problem('move_refused', `${id} is ${job.status}; no agent acts next`)
    await jobContextIn(context, job) // refused here, where a person hears of it, rather than in the background
    runInBackground(playing, id, 'job', (signal) =>
      how_far === 'step' ? stepJob(context, id, signal) : runJobs(context, { jobId: id, signal }).then(raiseFirst),
    )
    return { started: true } as const
  },
})

function raiseFirst({ problems: [first] }: Awaited<ReturnType<typeof runJobs>>): void {
  if (first) throw new Problem(first.code, first.message)
}
