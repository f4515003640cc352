import { join } from 'node:path'
import type { Agent } from '../src/agent/agent.ts'
import { scriptedProvider } from '../src/providers/scripted.ts'
import type { ModelRequest } from '../src/providers/provider.ts'
import { DelegationLimits } from '../src/roles/delegation.ts'
import { loadRoles } from '../src/roles/load.ts'
import type { Driver } from '../src/store/driver.ts'
import { openStore } from '../src/store/open.ts'
import { jobs } from '../src/store/tables.ts'
import { allTools } from '../src/tools/all.ts'
import { activateJob } from '../src/jobs/activate.ts'
import { approveJob } from '../src/jobs/approve.ts'
import { createJob } from '../src/jobs/create.ts'
import { resubmitJob } from '../src/jobs/resubmit.ts'
import { runJobs } from '../src/jobs/run.ts'
import type { JobStage } from '../src/jobs/stage.ts'

/** What a life of a job is played with; the process that plays it may be killed before or after any of its writes. */
export interface Play {
  store: string
  jobsDir: string
  repository: string
  phases: string[]
  kill: { at: number; when: 'before' | 'after' } | null
}

/** Plays a job from wherever it is to SUCCESS, the Steward's part included, and prints how many writes it took. */
async function playLife(play: Play): Promise<void> {
  const counted = countWrites(await openStore(play.store), play.kill)
  const stage = await stageOn(counted.driver, play)
  const { driver } = counted
  if ((await jobs.find(driver, 'demo')) === null) {
    const phases = play.phases.map((name) => ({ name }))
    const settings = { objective: 'Say hello', phases, limits: { max_failures: 50, max_retries: 50 } }
    await createJob(stage, { id: 'demo', source: play.repository, settings })
  }
  for (;;) {
    const { item: job } = await jobs.get(driver, 'demo')
    if (job.status === 'SUCCESS') break
    if (job.status === 'DRAFT') await activateJob(stage, 'demo')
    else if (job.status === 'APPROVAL_REQUIRED') await approveJob(stage, 'demo', 'good')
    else if (job.status === 'INTERVENTION_REQUIRED') await resubmitJob(stage, 'demo', 'Greet the world.')
    else await runJobs(stage, { jobId: 'demo', signal: new AbortController().signal })
  }
  process.stdout.write(`${counted.writes()}\n`)
  await driver.close()
}

/** A driver that ends its own process, as `kill -9` would, at one of its writes. */
function countWrites(driver: Driver, kill: Play['kill']): { driver: Driver; writes: () => number } {
  let writes = 0
  const dieIf = (when: 'before' | 'after') => {
    if (kill?.when === when && writes === kill.at) process.kill(process.pid, 'SIGKILL')
  }
  const transaction: Driver['transaction'] = async (all) => {
    writes += 1
    dieIf('before')
    const result = await driver.transaction(all)
    dieIf('after')
    return result
  }
  const query: Driver['query'] = async (sql, params) => {
    if (/^(insert|update|delete)/.test(sql)) return transaction((tx) => tx.query(sql, params))
    return driver.query(sql, params)
  }
  return { driver: { ...driver, transaction, query }, writes: () => writes }
}

async function stageOn(driver: Driver, { jobsDir }: Play): Promise<JobStage> {
  const provider = scriptedProvider([answer])
  const agent: Agent = {
    driver,
    roles: await loadRoles({ builtInDir: join(import.meta.dirname, '../roles') }),
    tools: allTools,
    performerFor: async () => ({ provider, model: 'test' }),
    delegation: DelegationLimits.parse({}),
    approvals: { tools: {}, never_ask: false },
    sandbox: { kind: 'none', reason: 'a test without commands', fix: 'none' },
    network: false,
    allowedSecrets: [],
    now: () => new Date(),
    onEvent: () => undefined,
  }
  return { agent, modelFor: () => 'scripted/test', jobsDir, secrets: [], unsandboxed: false }
}

const always = { usage: { input_tokens: 10, output_tokens: 1, cost_microusd: 7 }, repeat: true }

/** A model whose answer follows from the request alone, so that a killed process can be followed by any other. */
function answer({ system, entries }: ModelRequest) {
  const said = entries.flatMap((entry) => (entry.from === 'user' ? [entry.text] : []))
  const phase = /phase (?:\d of \d: )?(\w+)/.exec(said[0] ?? '')?.[1] ?? 'none'
  if (said.length > 1) return { text: exit('COMPLETED', [`${phase}.txt`]), ...always }
  return system.includes('SUPERVISOR role') ? review(phase, said[0] ?? '') : work(phase, system, entries)
}

function work(phase: string, system: string, entries: ModelRequest['entries']) {
  if (phase === 'two' && !system.includes('The last attempt failed')) return { text: exit('RETRY'), ...always }
  if (phase === 'three' && !system.includes('Greet the world')) return { text: exit('STUCK'), ...always }
  const path = system.includes('supervisor: also') ? `${phase}-also.txt` : `${phase}.txt`
  const tried = entries.some((entry) => entry.from === 'tool')
  if (!tried) return { calls: [{ tool: 'create_file', input: { path, content: `${phase}\n` } }], ...always }
  return { text: phase === 'one' || phase === 'brief' ? 'I am done.' : exit('COMPLETED', [path]), ...always }
}

function review(phase: string, order: string) {
  if (phase === 'one' && !order.includes('one-also.txt')) return { text: exit('RETRY', 'also a second file'), ...always }
  return { text: exit('COMPLETED'), ...always }
}

function exit(action: string, more: string[] | string = []): string {
  const [evidence_files, summary] = typeof more === 'string' ? [[], more] : [more, `${action} it is`]
  return JSON.stringify({ action, evidence_files, summary_for_supervisor: summary })
}

if (process.argv[1] === import.meta.filename) await playLife(JSON.parse(process.argv[2] ?? '{}') as Play) // written by the journey
