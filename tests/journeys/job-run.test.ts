import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { launcher, type Account } from '../../src/cli/test-account.ts'
import { exit } from '../../src/jobs/test-job.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { runs } from '../../src/store/run-tables.ts'
import { inStore } from '../../src/store/test-store.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { openShell, type Command } from '../open-shell.ts'
import { noTerminal, onTerminal } from '../../src/cli/test-terminal.ts'

const done = exit('COMPLETED')
const usage = { input_tokens: 10, output_tokens: 1, cost_microusd: 120_000 }

test('[J53] without a terminal a run tells in plain lines which phase and round begins and how it ended, with time and cost against the limit', async (t) => {
  const { troupe } = await jobs(t, ['demo'])

  const { code, stdout, stderr } = await troupe('job', 'run')

  assert.deepEqual([code, stdout], [10, '2 steps; waiting for you: demo\n'])
  assert.deepEqual(
    stderr.split('\n').map((line) => line.replace(/\d+ s/, '…').replace(/scripted:\S+/, 'scripted')),
    [
      'demo  worker in phase one (1 of 2), round 1 · $0.00 of $0.50',
      'demo  REVIEW_REQUIRED  phase one, round 1 · … · $0.12 of $0.50 · scripted',
      'demo  supervisor in phase one (1 of 2), round 1 · $0.12 of $0.50',
      'demo  APPROVAL_REQUIRED  phase one, round 1 · … · $0.24 of $0.50 · scripted',
      '',
    ],
  )
})

test(
  '[J53] on a terminal one line at its foot tells the same within its width, and without colours where none are wanted',
  { skip: noTerminal },
  async (t) => {
    const { account } = await jobs(t, ['demo'])

    const screen = await onTerminal(account, ['job', 'run'], { NO_COLOR: '1' }, 48)

    const drawn = screen.split(`\r${ESCAPE}[2K`)
    assert.match(drawn[1] ?? '', /^0 s · \$0\.00 of \$0\.50 · demo · worker in phase …$/)
    assert.ok(drawn.some((line) => /^demo {2}REVIEW_REQUIRED {2}phase one, round 1 · \d+ s · \$0\.12 of \$0\.50/.test(line)))
    assert.match(drawn.at(-1) ?? '', /\n2 steps; waiting for you: demo\s+$/)
    assert.ok(drawn.every((line) => line.includes('\n') || line.length < 48))
    assert.ok(!drawn.some((line) => line.includes(ESCAPE)), 'NO_COLOR is set')
  },
)

test('[J54] ranks decide who is next: the list, the dry run and the run agree, and a place that is none is refused', async (t) => {
  const { troupe } = await jobs(t, ['a', 'b', 'c'])
  const order = async () => {
    const { jobs: all } = JSON.parse((await troupe('job', 'list', '--json')).stdout)
    const listed = all.filter(({ queue: place }: { queue: number | null }) => place !== null)
    const { queue } = JSON.parse((await troupe('job', 'run', '--dry-run', '--json')).stdout)
    const ids = [listed, queue].map((found: { id: string }[]) => found.map(({ id }) => id).join(''))
    return ids[0] === ids[1] ? ids[0] : ids
  }
  const seen = [await order()]

  // oxfmt-ignore
  for (const words of [['c', '0'], ['a', '1'], ['c', '-1'], ['a', '99'], ['b', '2'], ['b', '2']]) {
    await troupe('job', 'rank', ...words)
    seen.push(await order())
  }
  await troupe('job', 'suspend', 'a')
  seen.push(await order())
  await troupe('job', 'resume', 'a')
  seen.push(await order())
  const refused = await Promise.all(['-2', '1.5', 'first'].map((rank) => troupe('job', 'rank', 'a', rank)))
  const { stderr } = await troupe('job', 'run')

  assert.deepEqual(seen, ['abc', 'cab', 'cab', 'abc', 'bca', 'cab', 'cab', 'cb', 'cab'])
  assert.ok(refused.every(({ code, stderr: said }) => code === 42 && /<rank> is /.test(said)))
  assert.deepEqual([...stderr.matchAll(/^(\w) {2}worker/gm)].map(([, id]) => id).join(''), 'cab')
})

test('[J38] a run of one job that only a person can move says so again, and names the way on for a draft and a suspended one', async (t) => {
  const { account, troupe } = await jobs(t, ['demo'])
  const broken = await account.write('broken.json', '{"objective": ')
  await troupe('job', 'run', 'demo')
  await troupe('job', 'create', 'draft', '--objective', 'Later')

  const again = await troupe('job', 'run', 'demo')
  const draft = await troupe('job', 'run', 'draft')
  await troupe('job', 'suspend', 'demo')
  const suspended = await troupe('job', 'run', 'demo')
  const nothing = await troupe('job', 'run')
  const unread = await troupe('job', 'create', 'other', '--spec', broken)

  assert.deepEqual([again.code, again.stdout], [10, '0 steps; waiting for you: demo\n'])
  assert.deepEqual(
    [nothing.code, nothing.stdout],
    [0, 'The queue is empty; create a job with troupe job create, or see all with troupe job list.\n'],
  )
  assert.match(`${draft.code} ${draft.stderr}`, /^42 .*troupe job activate draft/)
  assert.match(`${suspended.code} ${suspended.stderr}`, /^10 .*troupe job resume demo/)
  assert.match(`${unread.code} ${unread.stderr}`, /^42 troupe: \S+broken\.json:1: neither YAML nor JSON: .+\n$/)
})

test('[J38] without --json a dry run is told in lines that a person reads', async (t) => {
  const { account, troupe } = await jobs(t, ['demo'])
  await gitText(account.project, ['branch', 'release'])
  const dry = async (...words: string[]) => (await troupe('job', ...words, '--dry-run')).stdout

  const told = [
    await dry('create', 'other', '--objective', 'Later'),
    await dry('step', 'demo'),
    await dry('run'),
    await dry('poststep', 'demo', '--response-string', done),
    await dry('recover'),
  ]
  await troupe('job', 'run')
  told.push(await dry('restep', 'demo', '--step', '2'))
  for (const words of ['approve demo', 'run', 'approve demo']) await troupe('job', ...words.split(' '))
  told.push(await dry('merge', 'demo', '--into', 'release'))

  const lines = [
    /^other {2}DRAFT {2}phase default, round 1\n\S+other\n$/,
    /^worker with scripted:\S+\n\n[^]*Greet/,
    /^demo {2}PENDING {2}phase one, round 1\n$/,
    /^demo {2}REVIEW_REQUIRED {2}phase one, round 1\n$/,
    /^Nothing to recover\n$/,
    /^demo {2}REVIEW_REQUIRED {2}phase one, round 1\n$/,
    /^job-demo is merged into release as [0-9a-f]{40}\n$/,
  ]
  for (const [at, line] of lines.entries()) assert.match(told[at] ?? '', line)
})

test('[J65] a run of a job that is over says so, and ends well', async (t) => {
  const { troupe } = await jobs(t, ['demo'])
  await troupe('job', 'cancel', 'demo')

  const { code, stdout } = await troupe('job', 'run', 'demo')

  assert.deepEqual([code, stdout], [0, '0 steps; over: demo (CANCELED)\n'])
})

test('[J66] Ctrl+C ends a step, a replay by another model and a talk with 130, and the job can be stepped again', async (t) => {
  const { account, troupe } = await jobs(t, ['demo'])
  await troupe('job', 'step', 'demo')
  const silent = await account.script([{ fail: 'hang' }], 'silent.json')
  await troupe('job', 'config', 'demo', '--supervisor-model', silent)
  await account.write('.config/troupe/config.yaml', JSON.stringify({ model: silent }))

  const replayed = await killed(account, 'SIGINT', 'job', 'counterfactual', 'demo', '--with-model', silent)
  const talked = await killed(account, 'SIGINT', 'job', 'chat', 'demo', 'Is', 'it', 'good?')
  const stepped = await killed(account, 'SIGINT', 'job', 'step', 'demo')

  assert.deepEqual([replayed, talked, stepped], [130, 130, 130])
  assert.equal(JSON.parse((await troupe('job', 'status', 'demo', '--json')).stdout).job.status, 'REVIEW_REQUIRED')
})

test('[J42] of a job whose process was killed, and of one that was cleaned up, status says what is gone and how it goes on', async (t) => {
  const { account, troupe } = await jobs(t, ['demo'])
  await troupe('job', 'config', 'demo', '--worker-model', await account.script([{ fail: 'hang' }], 'silent.json'))
  await killed(account, 'SIGKILL', 'job', 'run')

  const cutOff = await troupe('job', 'status', 'demo')
  const { worked_on } = JSON.parse((await troupe('job', 'status', 'demo', '--json')).stdout)
  await troupe('job', 'recover', 'demo')
  const recovered = await troupe('job', 'status', 'demo')
  await troupe('job', 'cancel', 'demo')
  await troupe('job', 'cleanup', 'demo')
  const cleaned = await troupe('job', 'status', 'demo')

  assert.equal(worked_on, false)
  assert.match(
    cutOff.stdout,
    /cut off +worker in process \d+ on .*; that process is gone\nnext +troupe job step demo, or run, continues it; troupe job recover/,
  )
  assert.match(recovered.stdout, /workspace +\/\S+ on job-demo\nnext +the worker works/)
  assert.match(cleaned.stdout, /workspace +removed with job-demo; troupe job diff demo shows what it changed\n/)
})

test('[J66] a talk whose model could not answer says why and ends with the code of that', async (t) => {
  const { account, troupe } = await jobs(t, ['demo'])
  const model = await account.script([{ fail: 401, said: 'no such key' }], 'refusing.json')
  await account.write('.config/troupe/config.yaml', JSON.stringify({ model }))

  const talked = await troupe('job', 'chat', 'demo', 'Is', 'it', 'good?')

  assert.equal(talked.code, 42)
  assert.match(talked.stderr, /no such key/)
})

/** Jobs of two phases in one repository, activated in this order; whoever is asked is done. */
async function jobs(t: TestContext, ids: readonly string[]): Promise<{ account: Account; troupe: Command }> {
  const { account, troupe } = await openShell(t, { 'a.txt': 'one\n' })
  const model = await account.script([{ text: done, usage, repeat: true }])
  await account.write('.config/troupe/config.yaml', JSON.stringify({ model }))
  for (const id of ids) {
    const made = await troupe(...`job create ${id} --objective Greet --phase one --phase two --max-cost-usd 0.5 --activate`.split(' '))
    assert.equal(made.code, 0, made.stderr)
  }
  return { account, troupe }
}

/** The code a command ends with that gets a signal once a model was asked. */
async function killed({ store, project, env, home }: Account, signal: NodeJS.Signals, ...words: string[]): Promise<number> {
  const child = spawn(launcher, words, { cwd: project, env: { ...env, TMPDIR: home }, stdio: 'ignore' }) // a killed one leaves things there
  const exited = once(child, 'exit')
  await until(() => inStore(store, async (driver) => (await runs.count(driver, { status: 'running' })) > 0))
  child.kill(signal)
  const [code] = await exited
  return Number(code)
}

const ESCAPE = '\u001b'
