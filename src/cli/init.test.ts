import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { treeOf } from '../../tests/tree.ts'
import { anAccount, type Account } from './test-account.ts'
import { inTerminal, noTerminal } from './test-terminal.ts'

const claude = '---\nname: bug-fixer\ndescription: Fixes\ntools: Read, Edit\n---\nYou fix bugs.\n'

test('[C50] init tells what is there and writes settings, the ignore list and the roles of other tools', async (t) => {
  const account = await aProject(await anAccount(t))

  const { code, stdout } = await account.troupe('init', '--json')
  const checked = await account.troupe('config', 'check')
  const roles = await account.troupe('roles', 'show', 'bug_fixer', '--json')
  const status = await git(account, 'status', '--porcelain', '-uall')

  const { found, written, next } = JSON.parse(stdout)
  assert.deepEqual([code, checked.code], [0, 0])
  assert.deepEqual(
    [found.git.top, found.instructions],
    [await realpath(account.project), [{ file: 'CLAUDE.md', folder: false, told: true }]],
  )
  assert.deepEqual(
    written.map(({ file, outcome }: { file: string; outcome: string }) => `${file} ${outcome}`),
    ['.troupe/config.yaml written', '.troupe/.gitignore written', '.troupe/roles/bug_fixer.md written'],
  )
  assert.match(next.join('\n'), /troupe roles trust \.troupe\/roles\/bug_fixer\.md/)
  assert.deepEqual(JSON.parse(roles.stdout).permissions.can_write_files, false)
  assert.equal(status, '?? .claude/agents/fixer.md\n?? .troupe/config.yaml\n?? .troupe/roles/bug_fixer.md\n?? CLAUDE.md\n')
})

test('[C50] a repository without a commit is told with what the board and jobs need', async (t) => {
  const account = await anAccount(t)
  await git(account, 'init', '--quiet')

  const { stdout } = await account.troupe('init', '--dry-run')

  assert.match(stdout, /git +\S+; no commit yet, and the board and jobs need one: git add \. && git commit\n/)
})

test('[C50] what agents are told, and how to have them told it, is said of each file, without steering the terminal', async (t) => {
  const account = await aProject(await anAccount(t))
  await account.write('project/.cursor/rules/one.mdc', 'Be brief.')
  await account.write('project/.claude/agents/\u001b[2Jowned.md', claude.replace('bug-fixer', 'other'))

  const alone = await account.troupe('init', '--dry-run')
  await account.write('project/AGENTS.md', 'Be brief.')
  const beside = await account.troupe('init', '--dry-run', '--cwd', '.claude')
  const both = await account.troupe('init', '--dry-run')

  assert.match(alone.stdout, /CLAUDE\.md +is given to every agent\n/)
  assert.match(alone.stdout, /\.cursor\/rules +is not read; put what agents should know in AGENTS\.md\n/)
  assert.match(beside.stdout, /the board uses the settings there/)
  assert.match(both.stdout, /AGENTS\.md +is given to every agent\n +CLAUDE\.md +is not read; put what agents should know/)
  assert.ok(!alone.stdout.includes('\u001b'))
})

test('[C51] a second init and a dry run change nothing, and files of the user stay as they are', async (t) => {
  const account = await aProject(await anAccount(t))
  await account.write('project/.troupe/config.yaml', '# mine\n')

  const dry = await account.troupe('init', '--dry-run', '--json')
  const afterDry = await readdir(join(account.project, '.troupe'))
  await account.troupe('init')
  const before = await treeOf(account.project)
  const again = await account.troupe('init', '--json')

  assert.deepEqual(afterDry, ['config.yaml'])
  assert.deepEqual(outcomes(dry.stdout), ['kept', 'would_write', 'would_write'])
  assert.deepEqual(outcomes(again.stdout), ['kept', 'kept', 'kept'])
  assert.deepEqual(await treeOf(account.project), before)
  assert.equal(await readFile(join(account.project, '.troupe/config.yaml'), 'utf8'), '# mine\n')
})

test("[C51] a project whose .troupe leads to the user's own settings gets nothing written there", async (t) => {
  const account = await aProject(await anAccount(t))
  await account.write('.config/troupe/keep', '')
  await symlink(join(account.home, '.config/troupe'), join(account.project, '.troupe'))

  const { code, stderr } = await account.troupe('init')

  assert.equal(code, 42)
  assert.match(stderr, /\.troupe is a symbolic link/)
  assert.deepEqual(await readdir(join(account.home, '.config/troupe')), ['keep'])
})

test('[C51] kept private, git sees nothing of .troupe', async (t) => {
  const account = await aProject(await anAccount(t))

  await account.troupe('init', '--no-share', '--no-import')

  assert.equal(await git(account, 'status', '--porcelain', '-uall'), '?? .claude/agents/fixer.md\n?? CLAUDE.md\n')
})

test('[C52] on a terminal three questions are asked, and the answers are what is written', { skip: noTerminal }, async (t) => {
  const account = await aProject(await anAccount(t))
  const terminal = inTerminal(t, account, ['init'])

  await terminal.shows('Model for everyone')
  terminal.type('local/qwen3-coder\r')
  await terminal.shows('Import 1 role')
  terminal.type('n\r')
  await terminal.shows('Share settings')
  terminal.type('\r')

  assert.deepEqual([await terminal.ended, terminal.screen().split('?').length - 1], [0, 3])
  assert.match(await readFile(join(account.project, '.troupe/config.yaml'), 'utf8'), /^model: local\/qwen3-coder$/m)
  assert.deepEqual((await readdir(join(account.project, '.troupe'))).toSorted(), ['.gitignore', 'config.yaml'])
})

test('[C52] Ctrl+C and Ctrl+D at a question end with 130, and nothing is written', { skip: noTerminal }, async (t) => {
  const account = await anAccount(t)
  const ends: number[] = []

  for (const key of ['\u0003', '\u0004']) {
    const terminal = inTerminal(t, account, ['init'])
    await terminal.shows('Model for everyone')
    terminal.type(key)
    ends.push(await terminal.ended)
  }

  assert.deepEqual([ends, await readdir(account.project)], [[130, 130], []])
})

test('[C52] a model that is none is refused before anything is written', async (t) => {
  const account = await anAccount(t)

  const { code, stderr } = await account.troupe('init', '--yes', '--model', 'gpt')

  assert.deepEqual([code, stderr], [42, 'troupe: gpt is not a model; write provider/model, such as anthropic/claude-sonnet-5\n'])
  assert.deepEqual(await readdir(account.project), [])
})

async function aProject(account: Account): Promise<Account> {
  await git(account, 'init', '-q')
  await account.write('project/CLAUDE.md', 'Be brief.\n')
  await account.write('project/.claude/agents/fixer.md', claude)
  return account
}

async function git(account: Account, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd: account.project, env: account.env })).stdout
}

function outcomes(stdout: string): string[] {
  return JSON.parse(stdout).written.map(({ outcome }: { outcome: string }) => outcome)
}
