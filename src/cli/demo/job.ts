import type { Job } from '../../domain/job/job.ts'
import { Problem } from '../../domain/problem.ts'
import { approveJob } from '../../jobs/steward/approve.ts'
import { createJob } from '../../jobs/create.ts'
import { historyOf } from '../../jobs/view/history.ts'
import { replayJob } from '../../jobs/replay/replay.ts'
import { runJobs } from '../../jobs/run.ts'
import { demoObjective } from '../../providers/rehearsal/job.ts'
import { jobs } from '../../store/tables.ts'
import type { Story } from './story.ts'
import type { DemoContext } from './context.ts'
import { jobContextOn } from '../job/area.ts'
import { processContext } from '../open/process-context.ts'

const JOB = 'pages'

/** A job: the Worker claims more than it did, the Supervisor sends it back, the Steward approves; then the record is replayed. Gives back the job. */
export async function playJob(world: DemoContext, story: Story): Promise<string> {
  const { parts, project, signal } = world
  story.scene(
    '4 · A job: Worker and Supervisor in turns',
    'Every exchange is on record before anyone acts on it, and a claim is compared with what is there.',
  )
  const context = jobContextOn(parts, processContext(parts, project, story.hear))
  await createJob.run(context, { id: JOB, source: project, objective: demoObjective, activate: true, file: [] })
  await runJobs(context, { jobId: JOB, signal, onStep: (job, what) => what === 'ended' && story.step(`${JOB} is ${statusText(job)}`) })
  if (signal.aborted) throw new Problem('stopped', 'the demo was stopped')
  await tellRounds(world, story)
  story.step('you: approve')
  const done = await approveJob.run(context, { job: JOB, note: '' })
  story.enforced('Only a person made it a SUCCESS.', done.status === 'SUCCESS')
  const { interactions, differences } = await replayJob.run(context, { job: JOB, from: 1 })
  story.enforced(
    `Its ${interactions} exchanges replay without a model and without a difference.`,
    interactions === 4 && differences.length === 0,
  )
  story.enforced('Your checkout is as you left it; the work is on the branch job-pages.', (await world.changes()) === '')
  return JOB
}

async function tellRounds({ parts: { driver } }: DemoContext, story: Story): Promise<void> {
  const { item: job } = await jobs.get(driver, JOB)
  const [first] = await historyOf(driver, JOB)
  const missing = first?.evidence.claimed.find(({ found }) => found === 'missing')
  story.enforced(`The Worker claimed ${missing?.path}; the record says: ${missing?.detail}.`, missing !== undefined)
  story.enforced(
    'So the Supervisor sent it back, and approval was asked for only after the second round.',
    job.rounds === 1 && job.status === 'APPROVAL_REQUIRED',
  )
}

/** Where a step has led, with what the Supervisor said when it went back. */
function statusText({ status, feedback }: Job): string {
  const last = feedback.at(-1)
  return status === 'PENDING' && last !== undefined ? `${status} again; ${last.from}: ${last.text}` : status
}
