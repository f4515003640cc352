import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
import { JobHistory } from '../../src/domain/job/history.ts'
import { exit, makes } from '../../src/jobs/test-job.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import { advice, expected, made } from './job-actors.ts'

/** What each seat says, the most particular case first: every step reads the script again and finds its place by what it is told. */
const script = [
  { when: { user: 'no valid exit command' }, text: exit('COMPLETED', ['tests.txt'], 'Tests added.') },
  { when: { system: 'SUPERVISOR role', user: 'tests.txt' }, text: exit('COMPLETED', [], 'Good now.') },
  { when: { system: 'SUPERVISOR role', user: 'phase 2 of 3' }, text: exit('RETRY', [], 'The tests are missing.') },
  { when: { system: 'SUPERVISOR role' }, text: exit('COMPLETED', [], 'Good.') },
  { when: { system: 'The last attempt failed', user: 'phase 1 of 3' }, ...makes('design.md') },
  {
    when: { system: 'The last attempt failed', user: 'phase 1 of 3' },
    text: exit('COMPLETED', ['design.md', '../secret'], 'Designed.'),
  },
  { when: { user: 'phase 1 of 3' }, text: exit('RETRY', [], 'Start smaller.') },
  { when: { system: 'The tests are missing.', user: 'phase 2 of 3' }, ...makes('tests.txt') },
  { when: { system: 'The tests are missing.', user: 'phase 2 of 3' }, text: 'I added the tests.' },
  { when: { user: 'phase 2 of 3' }, ...makes('build.txt') },
  { when: { user: 'phase 2 of 3' }, text: exit('COMPLETED', ['build.txt'], 'Built.') },
  { when: { system: 'Ship it under the name 1.0' }, ...makes('release.md') },
  { when: { system: 'Ship it under the name 1.0' }, text: exit('COMPLETED', ['release.md'], 'Shipped.') },
  { when: { user: 'phase 3 of 3' }, text: exit('STUCK', [], 'Under which name?') },
]

test('[J37] a three-phase job goes by the command line from draft to merge, with a RETRY, a round, a repair and a STUCK, and replays without a difference', async (t) => {
  const account = await accountWithRepository(t)
  const model = await account.script(script)
  const job = jobCommands(account)
  const phases = ['design', 'build', 'ship'].flatMap((name) => ['--phase', name])
  const seats = ['--worker-model', model, '--supervisor-model', model]

  await job('create', 'demo', '--objective', 'Make it', ...phases, ...seats, '--check', 'there=test -f design.md')
  await job('activate', 'demo')
  const { first, second, stuck, resubmitted, done, merged, replayed } = await playedToMerge(job, 'Ship it under the name 1.0')

  assert.deepEqual(
    [first.code, second.code, stuck.code, stuck.json.needs_person],
    [10, 10, 10, [{ id: 'demo', status: 'INTERVENTION_REQUIRED', reason: 'stuck' }]],
  )
  assert.deepEqual([resubmitted.json.status, done.json.status], ['PENDING', 'SUCCESS'])
  assert.equal(await gitText(account.project, ['ls-tree', '--name-only', 'release']), 'a.txt\nbuild.txt\ndesign.md\nrelease.md\ntests.txt')
  assert.equal(await gitText(account.project, ['rev-parse', 'release']), merged.json.merged_commit)
  assert.equal(await gitText(account.project, ['status', '--porcelain']), '')
  assert.deepEqual([replayed.code, replayed.json.differences], [0, []])
  const actions = ['RETRY COMPLETED COMPLETED', 'COMPLETED RETRY INVALID COMPLETED COMPLETED', 'STUCK COMPLETED COMPLETED'] // phase by phase
  assert.equal((await actionsIn(done.json.directory)).join(' '), actions.join(' '))
})

test('[J37] outside agents play such a job through the same commands, and it replays without a difference', async (t) => {
  const account = await accountWithRepository(t)
  const ledger = join(account.home, 'ledger')
  await mkdir(ledger)
  const fixtures = join(import.meta.dirname, '../fixtures')
  const maker = { command: '/bin/sh', args: [join(fixtures, 'job-agent.sh'), ledger], mounts: [fixtures, ledger] }
  await account.write('.config/troupe/config.yaml', JSON.stringify({ agents: { maker, judge: maker } }))
  const job = jobCommands(account)
  const phases = ['one', 'two', 'three'].flatMap((name) => ['--phase', name])

  const seats = ['--worker-model', 'agent/maker', '--supervisor-model', 'agent/judge']
  await job('create', 'demo', '--objective', 'Make it', ...phases, ...seats, '--activate')
  const { first, stuck, done, replayed } = await playedToMerge(job, advice)

  assert.deepEqual([first.code, stuck.json.needs_person[0].reason, done.json.status], [10, 'stuck', 'SUCCESS'])
  assert.equal(await gitText(account.project, ['ls-tree', '--name-only', 'release']), ['a.txt', ...made].join('\n'))
  assert.equal(await gitText(account.project, ['status', '--porcelain']), '')
  assert.deepEqual([replayed.code, replayed.json.differences], [0, []])
  assert.deepEqual(await actionsIn(done.json.directory), expected)
})

/** Three phases, the last of which has to be helped on with a word, up to the merge and a look back. */
async function playedToMerge(job: ReturnType<typeof jobCommands>, word: string) {
  const first = await job('run')
  await job('approve', 'demo')
  const second = await job('run')
  await job('approve', 'demo')
  const stuck = await job('run')
  const resubmitted = await job('resubmit', 'demo', word)
  await job('run')
  const done = await job('approve', 'demo')
  const merged = await job('merge', 'demo', '--into', 'release')
  return { first, second, stuck, resubmitted, done, merged, replayed: await job('replay', 'demo') }
}

async function actionsIn(directory: string): Promise<string[]> {
  const { interactions } = JobHistory.parse(JSON.parse(await readFile(join(directory, 'jobHistory.json'), 'utf8')))
  return interactions.map(({ response }) => response.actions[0] ?? response.status)
}

// oxlint-disable-next-line typescript/no-explicit-any -- what the command line prints, looked at field by field
function jobCommands(account: Account): (...args: string[]) => Promise<{ code: number; json: any }> {
  return async (...args) => {
    const { code, stdout, stderr } = await account.troupe('job', ...args, '--json')
    if (stdout === '') assert.fail(`troupe job ${args.join(' ')} ended with ${code} and printed nothing: ${stderr}`)
    return { code, json: JSON.parse(stdout) }
  }
}

async function accountWithRepository(t: TestContext): Promise<Account> {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'a.txt': 'one\n' })
  await gitText(account.project, ['branch', 'release'])
  return account
}
