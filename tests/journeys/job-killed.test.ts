import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { test } from 'node:test'
import { noUsage, addUsage } from '../../src/agent/limits.ts'
import type { JobInteraction } from '../../src/domain/job-history.ts'
import type { Driver } from '../../src/store/driver.ts'
import { openStore } from '../../src/store/open.ts'
import { jobInteractions, jobs, runs } from '../../src/store/tables.ts'
import { readHistoryFiles } from '../../src/jobs/history-file.ts'
import { replayJob } from '../../src/jobs/replay.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import type { Play } from '../job-player.ts'

const AT_ONCE = 3

test('[J36] a job killed before or after any of its writes is carried to its end by the next process, and nothing is lost or paid for unrecorded', async () => {
  const whole = await life({ kill: null })
  const kills = Array.from({ length: Number(whole.said) }, (_, at) => at + 1).flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ])
  assert.ok(kills.length > 30)

  const faults: string[] = []
  const kill = async (): Promise<void> => {
    for (let next = kills.shift(); next !== undefined; next = kills.shift()) {
      const faultsHere = (await life({ kill: next })).faults
      faults.push(...faultsHere.map((fault) => `${next.when} write ${next.at}: ${fault}`))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, kill))

  assert.deepEqual([...whole.faults, ...faults], [])
})

/** One life of a job in processes of its own: the first may be killed, the second goes on. Gives what is wrong with what is left. */
async function life({ kill }: Pick<Play, 'kill'>): Promise<{ said: string; faults: string[] }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-life-')))
  try {
    const repository = await aRepository(join(folder, 'source'))
    const play: Play = { store: `sqlite:${join(folder, 'troupe.db')}`, jobsDir: join(folder, 'jobs'), repository, phases: ['brief'], kill }
    const first = await played(play)
    const last = kill === null ? first : await played({ ...play, kill: null })
    const store = await openStore(play.store)
    const faults = await faultsIn(store, repository)
    await store.close()
    if (kill !== null && first.signal !== 'SIGKILL') faults.push(`it was not killed but ended with ${first.code}`)
    return {
      said: last.said,
      faults: last.code === 0 ? faults : [`the next process ended with ${last.code}: ${last.complained}`, ...faults],
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function faultsIn(store: Driver, repository: string): Promise<string[]> {
  const { item: job } = await jobs.get(store, 'demo')
  const history = (await jobInteractions.list(store, { where: { job_id: 'demo' }, order: ['sequence'] })).map(({ item }) => item)
  const paid = (await runs.list(store)).filter(({ item }) => item.turns > 0)
  const unrecorded = paid.filter(({ item }) => !history.some(({ run_id }) => run_id === item.id))
  const spent = paid.reduce((sum, { item }) => addUsage(sum, item.usage), noUsage)
  const inFile = await readHistoryFiles(job)
  const { differences } = await replayJob(store, 'demo')
  return [
    ...(job.status === 'SUCCESS' ? [] : [`the job is ${job.status}`]),
    ...(job.active === null ? [] : ['an agent is still said to be at work']),
    ...(isNumbered(history) ? [] : ['the sequence has gaps']),
    ...(JSON.stringify(inFile) === JSON.stringify(history.map(({ interaction }) => interaction)) ? [] : ['the file is not the history']),
    ...unrecorded.map(({ item }) => `the run ${item.id} was paid for and not recorded`),
    ...(spent.cost_microusd === job.usage.cost_microusd ? [] : [`spent ${spent.cost_microusd}, counted ${job.usage.cost_microusd}`]),
    ...differences.map((difference) => `replay differs: ${JSON.stringify(difference)}`),
    ...(await filesIn(repository, job.branch)),
    ...((await gitText(repository, ['status', '--porcelain'])) === '' ? [] : ['the user’s checkout changed']),
  ]
}

async function filesIn(repository: string, branch: string): Promise<string[]> {
  const listed = await gitText(repository, ['ls-tree', '--name-only', branch])
  return ['brief.txt'].filter((name) => !listed.split('\n').includes(name)).map((name) => `${name} is missing`)
}

function isNumbered(history: readonly JobInteraction[]): boolean {
  return history.every(({ sequence, interaction }, at) => sequence === at + 1 && interaction.sequence === at + 1)
}

async function played(play: Play) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../job-player.ts'), JSON.stringify(play)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complained] = [text(child.stdout), text(child.stderr)]
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null] // what a process ends with
  return { code, signal, said: await said, complained: await complained }
}

async function aRepository(folder: string): Promise<string> {
  await gitText(tmpdir(), ['init', '--quiet', '--initial-branch=main', folder])
  await writeFile(join(folder, 'a.txt'), 'one\n')
  await commitAll(folder, 'Start', agentAuthor('coder-1'))
  return folder
}
