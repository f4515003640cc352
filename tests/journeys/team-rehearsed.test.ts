import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { gitText } from '../../src/worktrees/repository.ts'

test('[A28] without a key a team goes from a goal to merged work in any project, and says that it is a rehearsal', async (t) => {
  const account = await aProject(t)

  const { code, stdout, stderr } = await teamFor(account, 'Greet people')

  assert.equal(code, 0, stderr)
  assert.match(stderr, /models are played by the rehearsal/)
  assert.match(stdout, /goal COMPLETED · MERGED 3\n.*3 approvals, 1 rejection\n/)
  assert.match(stdout, /on the branch integration; your checkout is as it was/)
  assert.match(await gitText(account.project, ['show', 'integration:rehearsal/note-1.md']), /Read and checked\./)
  assert.equal(await gitText(account.project, ['status', '--porcelain']), '')
})

test('[A93] a goal that is rehearsed a second time in the same project is reached, too', async (t) => {
  const account = await aProject(t)
  await teamFor(account, 'Greet people')

  const { code, stdout, stderr } = await teamFor(account, 'Greet people')

  assert.equal(code, 0, stderr)
  assert.match(stdout, /goal COMPLETED · MERGED 3\n/)
})

type Account = Awaited<ReturnType<typeof anAccount>>

async function aProject(t: TestContext): Promise<Account> {
  const account = await anAccount(t)
  await gitText(account.project, ['init', '--quiet', '--initial-branch=main'])
  await account.write('project/spec.md', '# Greeting\n\nGreet people.\n')
  await commitAll(account.project, 'Start', agentAuthor('ann'))
  return account
}

function teamFor(account: Account, goal: string) {
  return account.troupe('team', '--goal', goal, '--spec', 'spec.md', '--auto-approve', '--until-done')
}
