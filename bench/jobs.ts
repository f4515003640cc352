import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '../src/agent/agent.ts'
import { playRun } from '../src/agent/loop.ts'
import { startRun } from '../src/agent/start.ts'
import type { JobInteraction } from '../src/domain/job-history.ts'
import { activateJob } from '../src/jobs/activate.ts'
import { createJob } from '../src/jobs/create.ts'
import { gatherEvidence } from '../src/jobs/evidence.ts'
import { rebuildHistory } from '../src/jobs/history-file.ts'
import { replayJob } from '../src/jobs/replay.ts'
import { resubmitJob } from '../src/jobs/resubmit.ts'
import type { JobStage } from '../src/jobs/stage.ts'
import { stepJob } from '../src/jobs/step.ts'
import { listJobs } from '../src/jobs/view.ts'
import { readyWorkspace } from '../src/jobs/workspace.ts'
import { scriptedProvider } from '../src/providers/scripted.ts'
import { DelegationLimits } from '../src/roles/delegation.ts'
import { builtInDir, loadRoles } from '../src/roles/load.ts'
import type { Driver } from '../src/store/driver.ts'
import { openStore } from '../src/store/open.ts'
import { jobInteractions, jobs } from '../src/store/tables.ts'
import { allTools } from '../src/tools/all.ts'
import { agentAuthor, commitAll } from '../src/worktrees/commit.ts'
import { commitOf, gitText } from '../src/worktrees/repository.ts'
import { quickest, type Bench, type Row } from './bench.ts'

const MANY = 10_000
const TRIES = 30
const never = new AbortController().signal
const stuck = JSON.stringify({ action: 'STUCK', evidence_files: ['a.txt'], summary_for_supervisor: 'It is measured.' })

/** A step beyond its agent and git, replay, and the list of many jobs. */
export const bench: Bench = { name: 'jobs', run }

async function run(): Promise<Row[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-bench-jobs-')))
  const driver = await openStore(`sqlite:${join(folder, 'troupe.db')}`)
  try {
    const stage = await stageOn(driver, folder)
    const source = await aRepository(join(folder, 'source'))
    await createJob(stage, { id: 'bench', source, settings: { objective: 'Be measured', limits: { max_iterations: 1_000_000 } } })
    await activateJob(stage, 'bench')
    await timesOf(stage) // a cold program would make the first steps look slow and the later ones flat
    const first = await timesOf(stage)
    await addInteractions(stage)
    const last = await timesOf(stage)
    return [
      { what: 'our share of a step, the first ones', unit: 'ms', ours: shareOf(first.wall), budget: { at_most: 10 } },
      { what: 'the same in processor time', unit: 'ms', ours: shareOf(first.processor), budget: { at_most: 10 } },
      { what: `our share of a step after ${MANY} interactions`, unit: 'ms', ours: shareOf(last.wall), budget: { at_most: 10 } },
      { what: 'the same in processor time', unit: 'ms', ours: shareOf(last.processor), budget: { at_most: 10 } },
      {
        // Without git: starting a process costs more the more memory the one has that starts it.
        what: `processor time of a step and its agent after ${MANY} interactions, beside one of the first`,
        unit: 'ms',
        ours: last.processor.step - last.processor.git,
        floor: first.processor.step - first.processor.git,
        budget: { at_most: 1.3 },
      },
      await replayed(driver),
      ...(await listed(driver)),
    ]
  } finally {
    await driver.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Times {
  step: number
  alone: number
  git: number
}

/** A whole step less the same run without a job and less the git commands a step cannot do without. */
function shareOf({ step, alone, git }: Times): number {
  return Math.max(0, step - alone - git)
}

/** A step and its two unavoidable parts, each at its quickest; processor time is ours alone, so that a busy machine does not show in it. */
async function timesOf(stage: JobStage): Promise<{ wall: Times; processor: Times }> {
  const { agent } = stage
  const step = async () => {
    await resubmitJob(stage, 'bench', '').catch(() => undefined) // the first one is not stopped yet
    await stepJob(stage, 'bench', never)
  }
  const { item: job } = await jobs.get(agent.driver, 'bench')
  const alone = async () => {
    const request = { agent_role: 'worker', model: 'scripted/bench', workspace: job.workspace, prompt: 'Do it.' }
    await playRun(agent, await startRun(agent, request), never)
  }
  const git = async () => {
    const head = await readyWorkspace(job)
    await commitAll(job.workspace, 'nothing', agentAuthor('worker'))
    await gatherEvidence(job.workspace, job.base_commit ?? head, await commitOf(job.workspace, 'HEAD'), [])
  }
  const works = { step, alone, git }
  const wall = { step: Infinity, alone: Infinity, git: Infinity }
  const processor = { ...wall }
  for (let tries = 0; tries < TRIES; tries++) {
    for (const name of ['step', 'alone', 'git'] as const) {
      const [started, before] = [performance.now(), process.cpuUsage()]
      await works[name]()
      const { user, system } = process.cpuUsage(before)
      wall[name] = Math.min(wall[name], performance.now() - started)
      processor[name] = Math.min(processor[name], (user + system) / 1000)
    }
  }
  return { wall, processor }
}

async function replayed(driver: Driver): Promise<Row> {
  const best = await quickest(3, { replay: () => replayJob(driver, 'bench') })
  return { what: 'interactions replayed', unit: 'per s', ours: MANY / (best.replay / 1000), budget: { at_least: 2000 } }
}

async function listed(driver: Driver): Promise<Row[]> {
  const { item } = await jobs.get(driver, 'bench')
  await driver.transaction(async (tx) => {
    for (let at = 1; at < 1000; at++) await jobs.add(tx, { ...item, id: `job-${at}`, rank: at })
  })
  let [wall, processor] = [Infinity, Infinity]
  for (let tries = 0; tries < 10; tries++) {
    const [started, before] = [performance.now(), process.cpuUsage()]
    await listJobs(driver)
    const { user, system } = process.cpuUsage(before)
    wall = Math.min(wall, performance.now() - started)
    processor = Math.min(processor, (user + system) / 1000)
  }
  return [
    { what: 'status of 1000 jobs', unit: 'ms', ours: wall, budget: { at_most: 100 } },
    { what: 'the same in processor time', unit: 'ms', ours: processor, budget: { at_most: 100 } },
  ]
}

async function addInteractions({ agent: { driver } }: JobStage): Promise<void> {
  const [last] = await jobInteractions.list(driver, { where: { job_id: 'bench' }, order: ['-sequence'], limit: 1 })
  const { item: job, version } = await jobs.get(driver, 'bench')
  if (last === undefined) throw new Error('no step was recorded')
  await driver.transaction(async (tx) => {
    for (let sequence = last.item.sequence + 1; sequence <= MANY; sequence++) await jobInteractions.add(tx, another(last.item, sequence))
  })
  await jobs.replace(driver, { item: job, version }, { ...job, history: await rebuildHistory(driver, job, new Date()) })
}

function another(like: JobInteraction, sequence: number): JobInteraction {
  return { ...like, id: `bench-${sequence}`, sequence, interaction: { ...like.interaction, sequence } }
}

async function stageOn(driver: Driver, folder: string): Promise<JobStage> {
  const provider = scriptedProvider([{ text: stuck, repeat: true }])
  const agent: Agent = {
    driver,
    roles: await loadRoles({ builtInDir }),
    tools: allTools,
    performerFor: async () => ({ provider, model: 'bench' }),
    delegation: DelegationLimits.parse({}),
    approvals: { tools: {}, never_ask: false },
    sandbox: { kind: 'none', reason: 'no command is run', fix: 'none' },
    network: false,
    allowedSecrets: [],
    now: () => new Date(),
    onEvent: () => undefined,
  }
  return { agent, modelFor: () => 'scripted/bench', jobsDir: join(folder, 'jobs'), secrets: [], unsandboxed: false }
}

async function aRepository(folder: string): Promise<string> {
  await gitText(tmpdir(), ['init', '--quiet', '--initial-branch=main', folder])
  await writeFile(join(folder, 'a.txt'), 'one\n')
  await commitAll(folder, 'Start', agentAuthor('steward'))
  return folder
}
