import { join } from 'node:path'
import { playRun } from '../src/agent/loop.ts'
import { startRun } from '../src/agent/run/start.ts'
import { plainAgent, plainGround } from '../src/agent/test-agent.ts'
import type { JobInteraction } from '../src/domain/job/history.ts'
import { activateJob } from '../src/jobs/steward/activate.ts'
import { appendHistory } from '../src/jobs/view/history-file.ts'
import { interactionAt } from '../src/jobs/view/history.ts'
import { replayJob } from '../src/jobs/replay/replay.ts'
import { resubmitJob } from '../src/jobs/steward/resubmit.ts'
import type { JobContext } from '../src/jobs/context.ts'
import { stepJob } from '../src/jobs/step/step.ts'
import { exit, never, makeJob } from '../src/jobs/test-job.ts'
import { listJobs } from '../src/jobs/view/job.ts'
import { readyWorkspace } from '../src/jobs/workspace.ts'
import { scriptedProvider } from '../src/providers/script/scripted.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import type { Driver } from '../src/store/driver.ts'
import { jobInteractions, jobs } from '../src/store/tables.ts'
import { agentAuthor, commitAll } from '../src/worktrees/commit.ts'
import { changedFiles } from '../src/worktrees/diff.ts'
import { commitOf } from '../src/worktrees/repository.ts'
import { beginRepository } from '../src/worktrees/test-repository.ts'
import { quickest, type Bench, type Row } from './report/bench.ts'
import { leastShare, ownShare, type OwnShare } from './jobs/own-share.ts'
import { openPlace } from './report/place.ts'
import { perform } from '../src/domain/operation.ts'

const MANY = 10_000
const TRIES = 30
const PAGE = 100
const stuck = exit('STUCK', ['a.txt'], 'It is measured.')

const AT_THE_EDGE = 'it lies at the edge of its budget and swings with the machine, 6.6 to 11.4 ms within two days'

/** A step beyond its agent and git, replay, and the list of many jobs. */
export const bench: Bench = { name: 'jobs', run }

async function run(t: Cleanup): Promise<Row[]> {
  const { folder, driver } = await openPlace(t)
  const context = await contextOn(driver, folder)
  const source = join(folder, 'source')
  await beginRepository(source, { 'a.txt': 'one\n' })
  await makeJob(context, { id: 'bench', source, spec: { objective: 'Be measured', limits: { max_iterations: 1_000_000 } } })
  await perform(activateJob, context, { job: 'bench' })
  await stepTimes(context) // a cold program would make the first steps look slow and the later ones flat
  const first = await stepTimes(context)
  const added = await addInteractions(context)
  const last = await stepTimes(context)
  const later = `after ${MANY} interactions`
  return [
    { what: 'our share of a step, the first ones', unit: 'ms', ours: first.wall, budget: { at_most: 10 }, why: AT_THE_EDGE },
    { what: 'the same in processor time', unit: 'ms', ours: first.processor, budget: { at_most: 10 } },
    { what: `our share of a step ${later}`, unit: 'ms', ours: last.wall, budget: { at_most: 10 }, why: AT_THE_EDGE },
    { what: 'the same in processor time', unit: 'ms', ours: last.processor, budget: { at_most: 10 } },
    {
      what: `our share of a step ${later}, beside one of the first, in processor time`,
      unit: 'ms',
      ours: last.processor,
      floor: first.processor,
      budget: { at_most: 1.3 },
    },
    {
      what: `an entry in jobHistory.json ${later}, beside one of the first, in processor time`,
      unit: 'ms',
      ours: added.last,
      floor: added.first,
      budget: { at_most: 1.3 },
    },
    await replayed(driver),
    ...(await listed(driver)),
  ]
}

/** A step less its agent and its git: the same run without a job, and the same git commands without a step. Each at its quickest. */
async function stepTimes(context: JobContext): Promise<OwnShare> {
  const { agent } = context
  const { item: job } = await jobs.get(agent.driver, 'bench')
  const ready = () => perform(resubmitJob, context, { job: 'bench' }).catch(() => undefined) // the first one is not stopped yet
  const step = await leastShare(TRIES, () => stepJob(context, 'bench', never), ready)
  const alone = await leastShare(TRIES, async () => {
    const request = { agent_role: 'worker', model: 'scripted/bench', workspace: job.workspace, prompt: 'Do it.' }
    await playRun(agent, await startRun(agent, request), never)
  })
  const git = await leastShare(TRIES, async () => {
    const before = await readyWorkspace(job)
    const after = (await commitAll(job.workspace, 'nothing', agentAuthor('worker'))) ?? (await commitOf(job.workspace, 'HEAD'))
    await changedFiles(job.workspace, before, after)
  })
  return { wall: step.wall - alone.wall - git.wall, processor: step.processor - alone.processor - git.processor }
}

async function replayed(driver: Driver): Promise<Row> {
  const best = await quickest(3, { replay: () => perform(replayJob, { agent: { driver } }, { job: 'bench' }) })
  return { what: 'interactions replayed', unit: 'per s', ours: MANY / (best.replay / 1000), budget: { at_least: 2000 } }
}

async function listed(driver: Driver): Promise<Row[]> {
  const { item } = await jobs.get(driver, 'bench')
  await driver.transaction(async (tx) => {
    for (let at = 1; at < 1000; at++) await jobs.add(tx, { ...item, id: `job-${at}`, rank: at })
  })
  const { wall, processor } = await leastShare(10, () => perform(listJobs, { agent: { driver } }, {}))
  return [
    { what: 'status of 1000 jobs', unit: 'ms', ours: wall, budget: { at_most: 100 } },
    { what: 'the same in processor time', unit: 'ms', ours: processor, budget: { at_most: 100 } },
  ]
}

/** Lets the history grow as steps would, in the store and in its file; gives the processor time of an entry in the file at the beginning and at the end. */
async function addInteractions({ agent: { driver } }: JobContext): Promise<{ first: number; last: number }> {
  const { item: job, version } = await jobs.get(driver, 'bench')
  const like = await interactionAt(driver, 'bench', job.history.interactions)
  const took: number[] = []
  let history = job.history
  for (let from = like.sequence + 1; from <= MANY; from += PAGE) {
    const page = Array.from({ length: Math.min(PAGE, MANY - from + 1) }, (_, at) => another(like, from + at))
    await driver.transaction(async (tx) => {
      for (const interaction of page) await jobInteractions.add(tx, interaction)
    })
    const { processor } = await ownShare(async () => {
      for (const { interaction } of page) history = await appendHistory(driver, { ...job, history }, interaction, new Date())
    })
    took.push(processor / page.length)
  }
  await jobs.replace(driver, { item: job, version }, { ...job, history })
  return { first: Math.min(...took.slice(0, 10)), last: Math.min(...took.slice(-10)) }
}

function another(like: JobInteraction, sequence: number): JobInteraction {
  return { ...like, id: `bench-${sequence}`, sequence, interaction: { ...like.interaction, sequence } }
}

async function contextOn(driver: Driver, folder: string): Promise<JobContext> {
  const provider = scriptedProvider([{ text: stuck, repeat: true }])
  const agent = await plainAgent({ driver, chosenModelFor: async () => ({ provider, model: 'bench' }) })
  return { ...plainGround(agent, { modelFor: () => 'scripted/bench' }), jobsDir: join(folder, 'jobs') }
}
