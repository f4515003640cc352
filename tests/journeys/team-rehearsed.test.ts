import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { anAccount, runProgram, type Account } from '../../src/cli/test-account.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import { noTerminal, onTerminal } from '../../src/cli/test-terminal.ts'

test('[A28] [B163] without a key a team goes from a goal to merged work in any project, says that it is a rehearsal, and tells all in plain lines', async (t) => {
  const account = await aProject(t)

  const { code, stdout, stderr } = await account.troupe(...team('Greet people'))

  assert.equal(code, 0, stderr)
  assert.match(stderr, /^No merge check is set, .*\n.*models are played by the rehearsal/)
  assert.match(stdout, /goal COMPLETED · MERGED 3\n.*3 approvals, 1 rejection\n/)
  assert.match(stdout, /on the branch integration; your checkout is unchanged/)
  assert.match(await gitText(account.project, ['show', 'integration:rehearsal/note-1.md']), /Read and checked\./)
  assert.equal(await gitText(account.project, ['status', '--porcelain']), '')
  assert.ok(!/[\u001b\r]/.test(stdout + stderr)) // oxlint-disable-line no-control-regex -- what would steer a terminal
  for (const line of stderr.trim().split('\n').slice(2)) assert.match(line, /^\d\d:\d\d:\d\d \S+ \w+( note-\d)?: /)
})

test('[B163] on a terminal NO_COLOR leaves the picture and takes the colours', { skip: noTerminal }, async (t) => {
  const account = await aProject(t)

  const plain = await onTerminal(account, team('Greeting'), { NO_COLOR: '1' })
  const coloured = await onTerminal(account, team('Greeting'))

  const [drawing, colour] = ['\u001b[0J', '\u001b[2m']
  assert.deepEqual([plain.includes(drawing), plain.includes(colour), coloured.includes(colour)], [true, false, true])
  // oxlint-disable-next-line no-control-regex -- every sequence that is not one of the picture
  assert.doesNotMatch(plain, /\u001b(?!\[\d+A|\[0J)/)
})

test('[A93] a goal that is rehearsed a second time in the same project is reached, too', async (t) => {
  const account = await aProject(t)
  await account.troupe(...team('Greet people'))

  const { code, stdout, stderr } = await account.troupe(...team('Greet people'))

  assert.equal(code, 0, stderr)
  assert.match(stdout, /goal COMPLETED · MERGED 3\n/)
})

test('[B226, B242] a team names at its start what is not committed, says once that the goal is reached, and how to have the work; typed so, it is there', async (t) => {
  const account = await aProject(t)
  await account.write('project/mine.txt', 'not committed\n')

  const { code, stdout } = await account.troupe(...team('Greet people'), '--json')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const [result] = lines.filter(({ type }) => type === 'result')
  const [program = '', ...words] = (result?.land?.merge ?? '').split(' ')
  const landed = await runProgram(program, words, { cwd: account.project, env: account.env })

  assert.equal(code, 0)
  assert.deepEqual(lines.filter(({ type, text }) => type === 'notice' && text?.includes('mine.txt')).length, 1)
  assert.ok(lines.findIndex(({ text }) => text?.includes('mine.txt')) < lines.findIndex(({ type }) => type === 'activity'))
  assert.equal(lines.filter(({ action }) => action === 'goal_completed').length, 1)
  assert.deepEqual([result?.goal, result?.land?.branch, landed.code], ['COMPLETED', 'integration', 0])
  assert.match(await readFile(join(account.project, 'rehearsal/note-1.md'), 'utf8'), /Read and checked\./)
  assert.equal(await readFile(join(account.project, 'mine.txt'), 'utf8'), 'not committed\n')
})

/** As much of a line of a team as is looked at. */
interface Line {
  type: string
  text?: string
  action?: string
  goal?: string
  land?: { branch: string; merge: string } | null
}

async function aProject(t: TestContext): Promise<Account> {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'spec.md': '# Greeting\n\nGreet people.\n' })
  return account
}

const team = (goal: string) => ['team', '--goal', goal, '--spec', 'spec.md', '--auto-approve', '--until-done']
