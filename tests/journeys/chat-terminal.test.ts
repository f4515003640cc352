import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { anAccount, launcher, runTroupe, type Account, type Ended } from '../../src/cli/test-account.ts'
import { inTerminal, noTerminal } from '../../src/cli/test-terminal.ts'
import { each } from '../../src/domain/test-each.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { asking } from '../replies.ts'

const plan = { goal: 'Write a greeting', steps: [{ step_number: 1, action: 'Create greeting.txt' }] }
const question = asking('In capitals?', { yes: 'Yes', no: 'No' })
const write = { calls: [{ tool: 'create_file', input: { path: 'greeting.txt', content: 'HELLO\n' } }] }
const way = [{ text: JSON.stringify(plan) }, { text: JSON.stringify(question) }, write, { text: '[step 1 done]\nWritten.' }]

test('[P33] piped lines lead from a request to a plan, its execution, a question and its answer', async (t) => {
  const account = await accountWith(t, way)

  const { code, stdout } = await piped(account, ['chat'], 'greet\n/execute\n1\n')

  assert.equal(code, 0)
  assert.match(stdout, /Plan 1 \(draft\): Write a greeting[^]*In capitals\?[^]*✓ create_file[^]*\n· step 1 done\nWritten\./)
  assert.ok(existsSync(join(account.project, 'greeting.txt')))
})

test('[P33] scripts list, show, execute and answer with JSON, and the exit code tells how the turn ended', async (t) => {
  const account = await accountWith(t, way)
  await piped(account, ['chat'], 'greet\n')
  const { chats } = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout)
  const [{ id }] = chats

  const executed = await account.troupe('chat', 'execute', id, '--json')
  const unknown = await account.troupe('chat', 'answer', id, 'maybe')
  const answered = await account.troupe('chat', 'answer', id, 'yes', '--json')
  const again = await account.troupe('chat', 'answer', id, 'yes')
  const shown = await account.troupe('chat', 'show', id)

  assert.deepEqual(each([executed, unknown, answered, again, shown], 'code'), [10, 42, 0, 42, 0])
  assert.equal(JSON.parse(executed.stdout).questions[0].status, 'pending')
  assert.equal(JSON.parse(answered.stdout).run.status, 'completed')
  assert.match(shown.stdout, /answered: Yes[^]*\n· step 1 done\nWritten\./)
})

test('[P33] --continue carries on the last chat of the folder, --resume a certain one, and an unknown one is refused', async (t) => {
  const account = await accountWith(t, [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }])
  await piped(account, ['chat', '--role', 'actor'], 'one\n')
  const [{ id }] = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats

  await symlink(account.project, join(account.home, 'link'))
  await piped(account, ['chat', '--continue', '--cwd', '../link'], 'two\n')
  await piped(account, ['chat', '--resume', id], 'three\n')
  const unknown = await piped(account, ['chat', '--resume', 'chat_none'], '')

  const { chats } = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout)
  const said = (await account.troupe('chat', 'show', id)).stdout
  assert.deepEqual([chats.length, unknown.code], [1, 42])
  assert.match(said, /First\.[^]*Second\.[^]*Third\./)
})

test('[P34] one process at a time plays a chat: a second one cannot start it, and what is said there waits for the first', async (t) => {
  const account = await accountWith(t, [
    { text: JSON.stringify(plan) },
    { calls: [{ tool: 'execute_command', input: { command: 'touch begun; sleep 600' } }] },
  ])
  await piped(account, ['chat'], 'greet\n')
  const [{ id }] = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats
  const first = spawn(launcher, ['chat', 'execute', id], { cwd: account.project, env: account.env, stdio: 'ignore' })
  await until(() => existsSync(join(account.project, 'begun')))

  const second = await account.troupe('chat', 'execute', id)
  const said = await piped(account, ['chat', '--resume', id], 'me too\n')
  const shown = JSON.parse((await account.troupe('chat', 'show', id, '--json')).stdout)
  const ended = once(first, 'exit')
  first.kill('SIGINT')

  assert.match(second.stderr, /is busy with run .*; wait for it, or stop it first/)
  assert.match(said.stderr, /Queued: actor reads it with its next turn/)
  assert.deepEqual([second.code, shown.messages.at(-1).text, shown.messages.at(-1).queued], [11, 'me too', true])
  assert.deepEqual(await ended, [130, null])
})

test(
  '[P35] in a terminal Shift+Tab switches once a yes confirms the rights it gives, Ctrl+C stops the turn, and Ctrl+C at rest leaves',
  { skip: noTerminal },
  async (t) => {
    const account = await accountWith(t, [{ calls: [{ tool: 'execute_command', input: { command: 'touch begun; sleep 600' } }] }])
    const terminal = inTerminal(t, account, ['chat'], { TERM: 'dumb' })
    await terminal.shows('planner ›')

    terminal.type('\u001b[Z')
    await terminal.shows('Type yes to switch to actor')
    await terminal.shows('planner ›', 2)
    terminal.type('no\r')
    await terminal.shows('planner ›', 3)
    terminal.type('\u001b[Z')
    await terminal.shows('Type yes to switch to actor', 2)
    terminal.type('yes\r')
    await terminal.shows('actor ›')
    terminal.type('run it\r')
    await until(() => existsSync(join(account.project, 'begun')))
    terminal.type('\u0003')
    await terminal.shows('the run was stopped')
    await terminal.shows('actor ›', 2)
    terminal.type('\u0003')

    assert.equal(await terminal.ended, 0)
  },
)

test('[P35] in a terminal /stop is obeyed while the turn runs', { skip: noTerminal }, async (t) => {
  const account = await accountWith(t, [{ calls: [{ tool: 'execute_command', input: { command: 'touch begun; sleep 600' } }] }])
  const terminal = inTerminal(t, account, ['chat', '--role', 'actor'], { TERM: 'dumb' })
  await terminal.shows('actor ›')
  terminal.type('run it\r')
  await until(() => existsSync(join(account.project, 'begun')))

  terminal.type('/stop\r')
  await terminal.shows('the run was stopped')
  terminal.type('/quit\r')

  assert.equal(await terminal.ended, 0)
})

test('[P42] in a terminal the output of a command is seen while it runs', { skip: noTerminal }, async (t) => {
  const command = 'echo first; while [ ! -e go ]; do sleep 0.05; done; echo second'
  const account = await accountWith(t, [{ calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'Done.' }])
  const terminal = inTerminal(t, account, ['chat', '--role', 'actor'], { TERM: 'dumb' })
  await terminal.shows('actor ›')

  terminal.type('run it\r')
  await terminal.shows('│ first')
  await account.write('project/go', '')
  await terminal.shows('│ second')
  await terminal.shows('Done.')
  terminal.type('/quit\r')

  assert.equal(await terminal.ended, 0)
})

test(
  '[P46] in a terminal a person speaks while the turn runs, and the model reads it with its next request',
  { skip: noTerminal },
  async (t) => {
    const command = 'touch begun; while [ ! -e go ]; do sleep 0.05; done'
    const account = await accountWith(t, [
      { calls: [{ tool: 'execute_command', input: { command } }] },
      { text: 'In blue, then.', expect: { user: 'make it blue' } },
    ])
    const terminal = inTerminal(t, account, ['chat', '--role', 'actor'], { TERM: 'dumb' })
    await terminal.shows('actor ›')
    terminal.type('paint it\r')
    await until(() => existsSync(join(account.project, 'begun')))

    terminal.type('make it blue\r')
    await terminal.shows('Queued: actor reads it with its next turn.')
    await account.write('project/go', '')
    await terminal.shows('In blue, then.')
    terminal.type('/quit\r')

    assert.equal(await terminal.ended, 0)
  },
)

test('[P51] the words behind the command are said first, and each call is told by what it is about', async (t) => {
  const account = await accountWith(t, [{ calls: [{ tool: 'read_file', input: { path: 'notes.md' } }] }, { text: 'Read.' }])
  await account.write('project/notes.md', '# Notes')

  const said = await piped(account, ['chat', 'read', 'my notes'], '')
  const [{ id }] = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats
  const shown = await account.troupe('chat', 'show', id)
  const verb = await piped(account, ['chat', 'lsit'], '')

  assert.ok(said.stderr.includes(`planner on scripted:${account.home}/script.json in ${account.project}\n`), said.stderr)
  assert.match(said.stdout, /✓ read_file notes\.md\nRead\./)
  assert.match(shown.stdout, /› read my notes[^]*✓ read_file notes\.md/)
  assert.deepEqual([verb.code, verb.stderr], [42, 'troupe: unknown command troupe chat lsit; did you mean list?\n'])
})

test('[P51] a single word behind talk is what to say, where the same word behind chat is taken for a verb', async (t) => {
  const account = await accountWith(t, [{ text: 'Hello to you.', expect: { user: 'hello' } }])

  const said = await piped(account, ['chat', 'talk', 'hello'], '')
  const taken = await piped(account, ['chat', 'hello'], '')

  assert.deepEqual([said.code, taken.code], [0, 42], said.stderr)
  assert.match(said.stdout, /Hello to you\./)
  assert.match(taken.stderr, /unknown command troupe chat hello/)
})

test('[P51] a plan is shown once, not again after help or a mistyped order', async (t) => {
  const account = await accountWith(t, way)

  const { stdout, stderr } = await piped(account, ['chat'], 'greet\n/help\n/exeucte\n')

  assert.equal(stdout.split('Plan 1 (draft)').length, 2)
  assert.match(stderr, /did you mean \/execute\?/)
})

test('[P51] a number that no option has, and a word no order has, are refused and the question still waits', async (t) => {
  const account = await accountWith(t, [{ text: JSON.stringify(question) }, { text: 'So be it.' }])

  const { stdout, stderr } = await piped(account, ['chat', '--role', 'actor'], 'greet\n7\n/constructor\n2\n')

  assert.match(stderr, /the question has no answer 7; there are 1 to 2/)
  assert.match(stderr, /unknown command \/constructor; \/help lists them/)
  assert.match(stdout, /So be it\./)
})

test('[P51] whoever leaves a terminal is told how to carry on', { skip: noTerminal }, async (t) => {
  const account = await accountWith(t, way)
  const terminal = inTerminal(t, account, ['chat'], { TERM: 'dumb' })
  await terminal.shows('planner ›')

  terminal.type('greet\r')
  await terminal.shows('Run it with /execute')
  terminal.type('/quit\r')
  await terminal.shows('Continue with: troupe chat --resume chat_')

  assert.equal(await terminal.ended, 0)
})

test('[P27] escape codes of a model do not reach the terminal', async (t) => {
  const account = await accountWith(t, [{ text: '\u001b[2J\u001b]0;owned\u0007 harmless' }])

  const { stdout } = await piped(account, ['chat'], 'hello\n')

  assert.ok(stdout.includes('␛[2J␛]0;owned␇ harmless'))
  assert.ok(!stdout.includes('\u001b'))
})

async function accountWith(t: TestContext, replies: readonly unknown[]): Promise<Account> {
  const account = await anAccount(t)
  await account.write('.config/troupe/config.yaml', `model: ${await account.script({ follow: 'thread', replies })}\n`)
  return account
}

function piped({ project: cwd, env }: Account, args: readonly string[], input: string): Promise<Ended> {
  return runTroupe(args, { cwd, env }, input)
}
