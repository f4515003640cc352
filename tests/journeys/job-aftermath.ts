import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addUsage } from '../../src/agent/limits.ts'
import { noUsage } from '../../src/domain/entry.ts'
import type { JobInteraction } from '../../src/domain/job/history.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { readHistoryFiles } from '../../src/jobs/test-job.ts'
import { replayJob } from '../../src/jobs/replay/replay.ts'
import type { Driver } from '../../src/store/driver.ts'
import { entries, jobInteractions, jobMoves, jobs, runs } from '../../src/store/tables.ts'
import { inStore } from '../../src/store/test-store.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { expected, made } from './job-actors.ts'
import { perform } from '../../src/domain/operation.ts'

/** What is wrong with what is left of the life that `job-actors.ts` tells, however often its process was killed: nothing, or sentences. */
export function faultsIn(folder: string): Promise<string[]> {
  return inStore(`sqlite:${join(folder, 'troupe.db')}`, async (store) => {
    const { item: job } = await jobs.get(store, 'demo')
    const history = await jobInteractions.items(store, { where: { job_id: 'demo' }, order: ['sequence'] })
    return [
      ...recordFaults(job, history),
      ...(await fileFaults(job, history)),
      ...(await moneyFaults(store, job, history, folder)),
      ...(await perform(replayJob, { agent: { driver: store } }, { job: 'demo' })).differences.map(
        (difference) => `replay differs: ${JSON.stringify(difference)}`,
      ),
      ...(await repositoryFaults(job, join(folder, 'source'))),
    ]
  })
}

function recordFaults(job: Job, history: readonly JobInteraction[]): string[] {
  const said = history.map(({ interaction: { response } }) => response.actions[0] ?? response.status).filter((word) => word !== 'ERROR')
  return [
    ...(job.status === 'SUCCESS' ? [] : [`the job is ${job.status}`]),
    ...(job.active === null ? [] : ['an agent is still said to be at work']),
    ...(history.every(({ sequence, interaction }, at) => sequence === at + 1 && interaction.sequence === at + 1)
      ? []
      : ['the sequence has gaps']),
    ...(said.join() === expected.join() ? [] : [`they said ${said.join()}`]),
  ]
}

async function fileFaults(job: Job, history: readonly JobInteraction[]): Promise<string[]> {
  const inFile = JSON.stringify(await readHistoryFiles(job))
  const manifest = JSON.parse(await readFile(join(job.directory, 'job_manifest.json'), 'utf8')) as { status?: string } // a file of ours
  const outcome = JSON.parse(await readFile(join(job.directory, 'latest-outcome.json'), 'utf8')) as { sequence?: number } // likewise
  return [
    ...(inFile === JSON.stringify(history.map(({ interaction }) => interaction)) ? [] : ['the file is not the history']),
    ...(manifest.status === 'SUCCESS' ? [] : [`the manifest says ${manifest.status}`]),
    ...(outcome.sequence === history.length ? [] : [`the latest outcome is that of ${outcome.sequence}`]),
  ]
}

/** Whatever an agent was asked is either in a thread or was lost with a process, and each loss is a move on record. */
async function moneyFaults(store: Driver, job: Job, history: readonly JobInteraction[], folder: string): Promise<string[]> {
  const paid = (await runs.items(store)).filter(({ turns }) => turns > 0)
  const unrecorded = paid.filter(({ id }) => !history.some(({ run_id }) => run_id === id))
  const spent = paid.reduce((sum, { usage }) => addUsage(sum, usage), noUsage)
  const asked = (await readFile(join(folder, 'ledger/asked'), 'utf8')).trim().split('\n').length
  const answered = (await entries.items(store)).filter(({ from }) => from === 'assistant').length
  const lost = (await jobMoves.items(store, { where: { job_id: 'demo' } })).filter(({ move }) => move.startsWith('take_up')).length
  return [
    ...unrecorded.map(({ id }) => `the run ${id} was paid for and not recorded`),
    ...(spent.cost_microusd === job.usage.cost_microusd ? [] : [`spent ${spent.cost_microusd}, counted ${job.usage.cost_microusd}`]),
    ...(asked - answered <= lost ? [] : [`asked ${asked} times, answered ${answered} times, taken up only ${lost} times`]),
  ]
}

async function repositoryFaults(job: Job, repository: string): Promise<string[]> {
  const files = async (branch: string) => (await gitText(repository, ['ls-tree', '--name-only', branch])).split('\n').join()
  const all = ['a.txt', ...made].join()
  const merges = await gitText(repository, ['rev-list', '--merges', 'release'])
  return [
    ...((await files(job.branch)) === all ? [] : [`${job.branch} holds ${await files(job.branch)}`]),
    ...((await files('release')) === all ? [] : [`release holds ${await files('release')}`]),
    ...(merges === job.merged_commit ? [] : [`release has the merges ${merges.replaceAll('\n', ' ')}, the job says ${job.merged_commit}`]),
    ...((await gitText(repository, ['symbolic-ref', 'HEAD'])) === 'refs/heads/main' ? [] : ['the user’s checkout is on another branch']),
    ...((await gitText(repository, ['status', '--porcelain'])) === '' ? [] : ['the user’s checkout changed']),
  ]
}
