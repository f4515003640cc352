import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
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

async function aProject(t: TestContext): Promise<Account> {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'spec.md': '# Greeting\n\nGreet people.\n' })
  return account
}

const team = (goal: string) => ['team', '--goal', goal, '--spec', 'spec.md', '--auto-approve', '--until-done']
