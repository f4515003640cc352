import { createInterface } from 'node:readline/promises'
import { join } from 'node:path'
import { countTransactions, countWritesBelow, dieAt, writes, type Moment } from './write-points.ts'
import { plainAgent, plainGround } from '../../src/agent/test-agent.ts'
import { approveJob } from '../../src/jobs/steward/approve.ts'
import { activateJob } from '../../src/jobs/steward/activate.ts'
import { mergeJob } from '../../src/jobs/merge.ts'
import { resubmitJob } from '../../src/jobs/steward/resubmit.ts'
import type { JobContext } from '../../src/jobs/context.ts'
import { stepJob } from '../../src/jobs/step/step.ts'
import { never, makeJob } from '../../src/jobs/test-job.ts'
import type { Driver } from '../../src/store/driver.ts'
import { openStore } from '../../src/store/open.ts'
import { jobs } from '../../src/store/tables.ts'
import { actorsOf, advice, type Kind } from './job-actors.ts'
import { perform } from '../../src/domain/operation.ts'

/** A line to the player: goes on with the life of the job in its folder, one act or all of them, and may die on the way. */
export interface Order {
  acts: 'one' | 'all'
  kill: Moment | null
}

/** What the player says when it has done what it was told. */
export interface Told {
  done: boolean
  /** What it wrote since it was started. */
  writes: string[]
  /** Not null when it could not go on. */
  failed: string | null
}

/** Plays a job in the folder, act by act, the Steward's part included, as lines on standard input tell it. */
async function play(folder: string, kind: Kind): Promise<void> {
  countWritesBelow(folder)
  for await (const line of createInterface(process.stdin)) {
    const { acts, kill } = JSON.parse(line) as Order // written by the journey
    dieAt(kill)
    const told = await obey(folder, kind, acts).catch((error: unknown) => ({ done: false, failed: String(error) }))
    process.stdout.write(`${JSON.stringify({ ...told, writes } satisfies Told)}\n`)
  }
}

async function obey(folder: string, kind: Kind, acts: Order['acts']): Promise<Pick<Told, 'done' | 'failed'>> {
  const driver = countTransactions(await openStore(`sqlite:${join(folder, 'troupe.db')}`))
  try {
    const context = await contextOn(driver, folder, kind)
    let done = await act(context, folder)
    if (acts === 'all') while (!done) done = await act(context, folder)
    return { done, failed: null }
  } finally {
    await driver.close()
  }
}

/** The next thing to be done, by the one whose turn it is; true when the job is merged. */
async function act(context: JobContext, folder: string): Promise<boolean> {
  const job = (await jobs.find(context.agent.driver, 'demo'))?.item
  if (job === undefined) {
    const settings = { objective: 'Say hello', phases: ['one', 'two', 'three'].map((name) => ({ name })), limits: { max_failures: 50 } }
    await makeJob(context, { id: 'demo', source: join(folder, 'source'), spec: settings })
  } else if (job.status === 'DRAFT') await perform(activateJob, context, { job: 'demo' })
  else if (job.status === 'APPROVAL_REQUIRED') await perform(approveJob, context, { job: 'demo', note: 'good' })
  else if (job.status === 'INTERVENTION_REQUIRED') await perform(resubmitJob, context, { job: 'demo', note: advice })
  else if (job.status !== 'SUCCESS') await stepJob(context, 'demo', never)
  else if (job.merged_commit === null) await perform(mergeJob, context, { job: 'demo', into: 'release' })
  else return true
  return false
}

async function contextOn(driver: Driver, folder: string, kind: Kind): Promise<JobContext> {
  const agent = await plainAgent({ driver, ...(await actorsOf(kind, folder)) })
  return { ...plainGround(agent, { modelFor: () => 'scripted/test' }), jobsDir: join(folder, 'jobs') }
}

const [folder, kind] = process.argv.slice(2)
if (process.argv[1] === import.meta.filename && folder !== undefined) await play(folder, kind === 'outside' ? 'outside' : 'scripted')
