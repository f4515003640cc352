import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { parse } from 'yaml'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
import { each, rowsOf } from '../../src/domain/test-each.ts'
import { beginRepository, commitFiles } from '../../src/worktrees/test-repository.ts'
import { gitText } from '../../src/worktrees/repository.ts'

const plan = [
  '--description',
  'List the users',
  '--spec',
  'spec.md#users',
  '--done-when',
  'users.txt lists 2 users',
  '--scope',
  'IN: the list',
]

test('[B53] a person plays planner, coder and reviewer from the command line, until the work is merged', async (t) => {
  const { account, ok, json } = await aProject(t)
  const main = await gitText(account.project, ['rev-parse', 'main'])

  await ok('board', 'init', 'List the users', '--spec', 'spec.md', '--integration-test', 'grep -q ann users.txt')
  const unplanned = await ok('board', 'next')
  await ok('board', 'add', ...plan)
  await ok('board', 'finalize', 'task-1')
  const early = await account.troupe('board', 'claim', 'task-1', '--as', 'coder-1')
  await ok('board', 'approve-plan')
  const claimed = await json('board', 'claim', '--as', 'coder-1')
  const worktree = join(account.project, String(claimed['worktree']))
  await commitFiles(worktree, { 'users.txt': 'bob\n' }, 'List users')
  await ok('board', 'submit', 'task-1', '--as', 'coder-1')
  const review = await json('board', 'review', '--as', 'code-reviewer-1')
  const { review_commit } = review['task'] as { review_commit: string } // what `review --json` prints
  const verdict = { verdict: 'REJECTED', review_commit, blockers: [aBlocker] }
  await ok('board', 'verdict', 'task-1', '--file', await account.write('no.json', JSON.stringify(verdict)), '--as', 'code-reviewer-1')
  await ok('board', 'claim', '--as', 'coder-1')
  await commitFiles(worktree, { 'users.txt': 'ann\nbob\n' }, 'List both')
  await ok('board', 'submit', 'task-1', '--as', 'coder-1')
  const second = await json('board', 'review', '--as', 'code-reviewer-1')
  const approval = {
    verdict: 'APPROVED',
    ...pick(second),
    criteria: [{ criterion: 'done_when', evidence: 'both are there' }],
    prior_findings: [{ id: '1.1', status: 'RESOLVED' }],
  }
  await ok('board', 'verdict', 'task-1', '--file', await account.write('yes.json', JSON.stringify(approval)), '--as', 'code-reviewer-1')
  const merged = await json('board', 'merge', 'task-1', '--as', 'code-reviewer-1')
  const metrics = await json('board', 'metrics')
  const valid = await ok('board', 'validate')

  assert.match(unplanned.stdout, /No tasks yet; add one with troupe board add/)
  assert.deepEqual([early.code, /approves the plan/.test(early.stderr)], [10, true])
  assert.deepEqual([merged['status'], merged['iteration']], ['MERGED', 2])
  assert.equal(await gitText(account.project, ['show', 'integration:users.txt']), 'ann\nbob')
  assert.deepEqual(
    [await gitText(account.project, ['rev-parse', 'main']), await gitText(account.project, ['status', '--porcelain'])],
    [main, ''],
  )
  assert.deepEqual([metrics['review_verdict_approvals'], metrics['review_verdict_rejections'], metrics['tasks_done']], [1, 1, 1])
  assert.equal(valid.stdout, 'VALID\n')
})

test('[B16] a worktree that somebody deleted is laid out again at the next word of its coder, with what was committed', async (t) => {
  const { account, ok, json } = await aProject(t)
  await ok('board', 'init', 'List the users', '--spec', 'spec.md', '--auto-approve')
  await ok('board', 'add', ...plan)
  await ok('board', 'finalize', 'task-1')
  const { worktree } = await json('board', 'claim', '--as', 'coder-1')
  const path = join(account.project, String(worktree))
  const commit = await commitFiles(path, { 'users.txt': 'ann\nbob\n' }, 'List users')
  await rm(path, { recursive: true })

  const submitted = await json('board', 'submit', 'task-1', '--as', 'coder-1')

  assert.deepEqual([submitted['status'], submitted['review_commit']], ['READY_FOR_REVIEW', commit])
})

test('[B99] a model that nobody could ask is refused before a goal is begun or an agent registered', async (t) => {
  const { account, ok } = await aProject(t)
  const goal = ['--goal', 'List the users', '--spec', 'spec.md']

  const team = await account.troupe('team', ...goal, '--model', 'agent/nobody')
  const none = await account.troupe('board', 'list')
  await ok('board', 'init', 'List the users', '--spec', 'spec.md')
  account.env['TROUPE_AGENT_ID'] = 'coder-1'
  const agent = await account.troupe('agent', 'coder', '--model', 'nonsense')
  const keyless = await account.troupe('agent', 'coder', '--model', 'openai/gpt-5')
  const agents = { new: { command: 'sh', mounts: ['~/.settings'] }, gone: { command: 'no-such-program' } }
  await account.write('.config/troupe/config.yaml', JSON.stringify({ agents }))
  const outside = [await account.troupe('team', '--model', 'agent/new'), await account.troupe('team', '--model', 'agent/gone')]

  assert.deepEqual(each([team, none, agent, keyless, ...outside], 'code'), [42, 42, 42, 42, 42, 42])
  assert.match(
    `${outside[0]?.stderr}`,
    /^troupe: \/.*\.settings is not there; start sh once by itself, or take that out of agents\.new\.mounts$/m,
  )
  assert.match(
    `${outside[1]?.stderr}`,
    /^troupe: no-such-program, the program of the outside agent gone, is not on your PATH; install it first$/m,
  )
  assert.match(
    `${team.stderr}${agent.stderr}${keyless.stderr}`,
    /no outside agent nobody[^]*no provider is known for the model "nonsense"[^]*OPENAI_API_KEY/,
  )
  assert.doesNotMatch((await ok('board', 'log')).stdout, /registered/)
})

test('[B54] the state and the log lie beside the project as files soon after each change', async (t) => {
  const { account, ok } = await aProject(t)
  await ok('board', 'init', 'List the users', '--spec', 'spec.md')
  await ok('board', 'add', ...plan)

  const state = parse(await readFile(join(account.project, '.troupe/state.yaml'), 'utf8')) as { tasks: { id: string; status: string }[] } // what we wrote
  const log = parse(await readFile(join(account.project, '.troupe/log.yaml'), 'utf8')) as { action: string; detail: string }[] // as above

  assert.deepEqual(rowsOf(state.tasks, 'id', 'status'), [['task-1', 'DRAFT']])
  assert.deepEqual(each(log, 'action'), ['initialized', 'goal_created', 'task_added'])
  assert.equal(await gitText(account.project, ['status', '--porcelain']), '')
})

test('[B56] everything wrong with a state.yaml is reported at once with its rule, and the exit code says so', async (t) => {
  const { account } = await aProject(t)
  const file = await account.write('broken.yaml', brokenState)
  const torn = await account.write('torn.yaml', 'version: 1\ngoal: {id: "g\n')

  const invalid = await account.troupe('board', 'validate', file)
  const unreadable = await account.troupe('board', 'validate', torn)

  const rules = [...invalid.stderr.matchAll(/INVALID \[(\d+)\]/g)].map(([, rule]) => Number(rule))
  assert.equal(invalid.code, 42)
  assert.deepEqual(
    new Set(rules),
    new Set([1, 2, 3, 4, 6, 7, 8, 12, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 33, 34, 35, 37, 39, 46]),
  )
  assert.deepEqual([unreadable.code, /torn\.yaml:\d+: /.test(unreadable.stderr)], [42, true])
})

test('[B57] a state.yaml of another board is imported with its story; what was in work is to be claimed anew, and a person approves it first', async (t) => {
  const { account, ok, json } = await aProject(t)
  const file = await account.write('state.yaml', goodState)

  const odd = await account.troupe(
    'board',
    'import',
    await account.write('odd.yaml', goodState.replace('description: Done', 'kind: odd, description: Done')),
  )
  const none = await account.troupe('board', 'list')
  const imported = await json('board', 'import', file)
  const refused = await account.troupe('board', 'import', await account.write('broken.yaml', brokenState))
  const tasks = (await json('board', 'export'))['tasks'] as { id: string; status: string; history: { event: string }[] }[] // as exported
  const early = await account.troupe('board', 'claim', 'task-2', '--as', 'coder-1')
  await ok('board', 'approve-plan')
  const claim = await json('board', 'claim', '--as', 'coder-1')

  assert.deepEqual([odd.code, /task-1 of the document does not fit: kind/.test(odd.stderr), none.code], [42, true, 42])
  assert.deepEqual([imported['tasks'], imported['returned'], refused.code], [3, ['task-2'], 42])
  assert.match(early.stderr, /approve/)
  assert.match(JSON.stringify(imported['board']), /"auto_approve":false/)
  assert.deepEqual(rowsOf(tasks, 'id', 'status'), [
    ['task-1', 'MERGED'],
    ['task-2', 'UNCLAIMED'],
    ['task-3', 'UNCLAIMED'],
  ])
  const { handoff, spec_changes } = await json('board', 'export')
  assert.deepEqual(Object.keys(handoff ?? {}), ['task-2'])
  assert.match(JSON.stringify([handoff, spec_changes]), /coder-1.*half done.*write the rest.*users are sorted.*spec_gap/)
  assert.deepEqual([claim['id'], tasks[1]?.history.map(({ event }) => event)], ['task-2', ['claimed', 'imported']])
  await ok('board', 'validate')
})

const aBlocker = {
  file: 'users.txt',
  location: '1',
  criterion: 'done_when',
  defect: 'Only one user is listed.',
  fix: 'List ann as well as bob.',
  anomaly_logged: false,
}

function pick(review: Record<string, unknown>) {
  const { review_commit } = review['task'] as { review_commit: string } // what `review --json` prints
  return { review_commit, spec_hash: review['spec_hash'] }
}

async function aProject(t: TestContext) {
  const account: Account = await anAccount(t, { USER: 'ann' })
  await beginRepository(account.project, { 'spec.md': '# Users\n\nList both.\n' })
  const ok = async (...args: string[]) => {
    const ended = await account.troupe(...args)
    assert.equal(ended.code, 0, `troupe ${args.join(' ')}: ${ended.stderr}`)
    return ended
  }
  const json = async (...args: string[]) => JSON.parse((await ok(...args, '--json')).stdout) as Record<string, unknown> // every verb prints one value
  return { account, ok, json }
}

const goodState = `
version: 1
goal: {id: goal-1, description: Say hello, spec_ref: spec.md, created: 2026-01-22T10:00:00Z, status: IN_PROGRESS, alignment_history: [{timestamp: 2026-01-22T10:00:00Z, event: initialization, summary: begun}]}
tasks:
  - {id: task-1, description: Done, status: MERGED, priority: 1, created: 2026-01-22T10:00:00Z, spec_ref: spec.md, done_when: prints 1, scope: it, depends_on: [], worktree: null, merge_commit: abc1234, history: []}
  - {id: task-2, description: In work, status: CLAIMED, priority: 1, created: 2026-01-22T10:00:00Z, spec_ref: spec.md, done_when: prints 2, scope: it, depends_on: [task-1], assigned_to: coder-1, worktree: .worktrees/task-2, base_commit: abc1234, lease_expires: 2026-01-22T10:30:00Z, iteration: 1, history: [{time: 2026-01-22T10:00:00Z, event: claimed, agent: coder-1}]}
  - {id: task-3, description: Later, status: UNCLAIMED, priority: 2, created: 2026-01-22T10:00:00Z, spec_ref: spec.md, done_when: prints 3, scope: it, depends_on: [task-2]}
agents: {coder-1: {role: coder, status: WORKING, current_task: task-2, lease_expires: 2026-01-22T10:30:00Z, heartbeat: 2026-01-22T10:00:00Z, terminal: /dev/pts/2}}
handoff: {task-2: {agent: coder-1, summary: half done, next_action: write the rest, timestamp: 2026-01-22T10:00:00Z}}
spec_changes: [{timestamp: 2026-01-22T10:00:00Z, spec: spec.md, change: users are sorted, triggered_by: spec_gap}]
anomalies: [{timestamp: 2026-01-22T10:00:00Z, task: task-2, reporter: coder-1, type: retry_loop, details: {count: 3, error_pattern: ENOENT}}]
config: {max_coder_iterations: 10, integration_branch: integration, escalation_webhook: null, auto_approve: true, remote: origin}
sprint: {id: sprint-1, goal_ref: goal-1, scope: {planned: [task-1, task-2], stretch: []}, timeline: {started: 2026-01-22T10:00:00Z}, status: IN_PROGRESS}
`

const brokenState = `
version: 1
goal: {id: goal-1, description: Say hello, status: IN_PROGRESS}
tasks:
  - {id: "../x", status: FLYING, spec_ref: spec.md, done_when: prints 1}
  - {id: task-1, status: DRAFT, assigned_to: coder-1}
  - {id: task-2, status: CLAIMED, spec_ref: gone.md, done_when: prints 1, depends_on: [task-3, task-9]}
  - {id: task-3, status: BLOCKED, spec_ref: spec.md, done_when: prints 1, depends_on: [task-2], failed_by: [coder-1, coder-1]}
  - {id: task-4, status: UNCLAIMED}
agents: {coder1: {role: coder, status: WORKING}}
handoff: {task-1: {summary: half}}
discovered: [{id: d-1, urgency: soon}]
anomalies: [{type: vibes}, {type: retry_loop, details: {}}]
sprint: {goal_ref: goal-2, scope: {planned: [task-8]}, status: RUNNING}
`
