import assert from 'node:assert/strict'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { each } from '../domain/test-each.ts'
import { git } from '../sandbox/git/git.ts'
import { agentAuthor, authorEnvironment } from '../worktrees/commit.ts'
import { openTestGate, type TestGate } from './test-gate.ts'

test('[G35] the git tools show history, changes, state and origin of lines', async (t) => {
  const gate = await openRepository(t, { 'src/a.ts': 'one\ntwo\n', 'b.txt': 'b\n' })
  await writeFile(join(gate.root, 'src/a.ts'), 'one\n2\n')
  await commit(gate, 'Count in digits')
  await writeFile(join(gate.root, 'b.txt'), 'c\n')

  const log = await gate.call('git_log', { path: 'src', files: true })
  const status = await gate.call('git_status', {})
  const changed = await gate.call('git_diff', {})
  const between = await gate.call('git_diff', { from: 'HEAD~1', to: 'HEAD', summary: true })
  const blame = await gate.call('git_blame', { path: 'src/a.ts', start_line: 2, end_line: 2 })

  assert.match(log.output, /^\w+ \d{4}-\d\d-\d\d Tester: Count in digits\n\nM\tsrc\/a\.ts\n\w+ .*: Begin\n/)
  assert.match(status.output, /^## main\n M b\.txt$/)
  assert.match(changed.output, /-b\n\+c$/)
  assert.match(between.output, /src\/a\.ts \| 2 \+-/)
  assert.match(blame.output, /^\w+ .*Tester +\d{4}-\d\d-\d\d 2\) 2$/)
})

test('[G35] no argument of a git tool can become an option or name a file past the check', async (t) => {
  const gate = await openRepository(t, { 'a.txt': 'a\n', '--output=evil': 'x\n' })
  const calls: [string, Record<string, unknown>][] = [
    ['git_log', { revision: '--output=evil.txt' }],
    ['git_log', { revision: '-p' }],
    ['git_diff', { from: '--ext-diff' }],
    ['git_diff', { from: 'HEAD:.env', to: 'HEAD' }],
    ['git_diff', { from: '--no-index', to: '/etc/passwd' }],
    ['git_blame', { path: 'a.txt', revision: '--contents=/etc/passwd' }],
    ['git_blame', { path: '../../etc/passwd' }],
    ['git_log', { path: '/etc' }],
  ]

  for (const [tool, input] of calls) assert.ok(['error', 'denied'].includes((await gate.call(tool, input)).outcome), JSON.stringify(input))
  const odd = await gate.call('git_log', { path: '--output=evil' })
  const searched = await gate.call('git_log', { author: '--output=evil.txt', message: '--exec=x' })

  assert.match(odd.output, /Begin/)
  assert.equal(searched.output, 'no commit fits')
  assert.equal((await gate.call('git_status', {})).output, '## main\nnothing is changed')
})

test('[G36] nothing a repository configures is run by a git tool', async (t) => {
  const gate = await openRepository(t, { 'a.txt': 'a\n', '.gitattributes': '*.txt diff=evil\n' })
  const mark = join(gate.root, '.git', 'ran')
  const script = join(gate.root, '.git', 'evil.sh')
  await writeFile(script, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 })
  for (const name of [
    'core.fsmonitor',
    'core.pager',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
    'core.sshCommand',
    'alias.log',
  ]) {
    await git(gate.root, ['config', name, name.startsWith('alias') ? `!${script}` : script])
  }
  for (const hook of ['post-index-change', 'pre-commit', 'reference-transaction']) {
    await writeFile(join(gate.root, '.git/hooks', hook), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 })
  }
  await writeFile(join(gate.root, 'a.txt'), 'b\n')

  for (const tool of ['git_log', 'git_diff', 'git_status']) assert.equal((await gate.call(tool, {})).outcome, 'ok')
  assert.equal((await gate.call('git_blame', { path: 'a.txt' })).outcome, 'ok')

  await assert.rejects(stat(mark))
})

test('[G19] git_diff leaves out secrets and says so; git_blame refuses them', async (t) => {
  const gate = await openRepository(t, { '.env': 'KEY=old\n', 'a.txt': 'a\n' })
  await writeFile(join(gate.root, '.env'), 'KEY=new\n')
  await writeFile(join(gate.root, 'a.txt'), 'b\n')

  const diff = await gate.call('git_diff', {})
  const blame = await gate.call('git_blame', { path: '.env' })

  assert.doesNotMatch(diff.output, /KEY/)
  assert.match(diff.output, /\+b\n\[1 changed files are kept from every role\]$/)
  assert.equal(blame.outcome, 'denied')
})

test('[G19] a token that settings of a package manager held once is shown neither by git_diff nor by git_blame', async (t) => {
  const gate = await openRepository(t, { '.npmrc': '//x/:_authToken=SECRET\n', '.yarnrc.yml': 'npmAuthToken: SECRET\n' })
  await writeFile(join(gate.root, '.npmrc'), 'save-exact=true\n')
  await writeFile(join(gate.root, '.yarnrc.yml'), 'nodeLinker: pnp\n')
  await commit(gate, 'Without the token')

  const diff = await gate.call('git_diff', { from: 'HEAD~1', to: 'HEAD' })
  const blame = await gate.call('git_blame', { path: '.npmrc', revision: 'HEAD~1' })

  assert.match(diff.output, /^no differences\n\[2 changed files are kept from every role\]$/)
  assert.match(blame.output, /^denied: the past of \.npmrc is kept from every role/)
})

test('[G19] no id of a folder and no name that is not UTF-8 brings a secret into git_diff', async (t) => {
  const gate = await openRepository(t, { 'keys/.ssh/config': 'SECRET\n', 'a.txt': 'a\n' })
  const folder = Buffer.from(`${gate.root}/caf\u00e9`, 'latin1')
  await mkdir(folder)
  await writeFile(Buffer.concat([folder, Buffer.from('/.env')]), 'SECRET\n')
  await commit(gate, 'Keys')
  const [inside, around] = (await git(gate.root, ['rev-parse', 'HEAD:keys/.ssh', 'HEAD:keys'])).stdout.split('\n')

  const answers = [
    await gate.call('git_diff', { from: around, to: inside }),
    await gate.call('git_diff', { from: `${around}..${inside}` }),
    await gate.call('git_diff', { from: 'HEAD~1', to: 'HEAD' }),
    await gate.call('git_diff', { from: 'HEAD~1..HEAD', path: 'a.txt' }),
  ]

  assert.deepEqual(each(answers, 'outcome'), ['error', 'error', 'error', 'ok'])
  for (const { output } of answers) assert.doesNotMatch(output, /SECRET/)
})

test('[G35] outside a repository the git tools say so', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'a' })

  const result = await gate.call('git_status', {})

  assert.match(result.output, /^bad_input: git status did not work: .* is not inside a git repository/)
})

async function openRepository(t: TestContext, files: Record<string, string>): Promise<TestGate> {
  const gate = await openTestGate(t, files)
  await git(gate.root, ['init', '--initial-branch=main'])
  await commit(gate, 'Begin')
  return gate
}

async function commit(gate: TestGate, message: string): Promise<void> {
  await git(gate.root, ['add', '--all', '--force'])
  const { exit_code, stderr } = await git(gate.root, ['commit', '-m', message], { env: authorEnvironment(agentAuthor('Tester')) })
  assert.equal(exit_code, 0, stderr)
}
