import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { gitText } from '../../src/worktrees/repository.ts'

test('[A28] without a key a team goes from a goal to merged work in any project, and says that it is a rehearsal', async (t) => {
  const account = await anAccount(t)
  await gitText(account.project, ['init', '--quiet', '--initial-branch=main'])
  await account.write('project/spec.md', '# Greeting\n\nGreet people.\n')
  await commitAll(account.project, 'Start', agentAuthor('ann'))

  const { code, stdout, stderr } = await account.troupe(
    'team',
    '--goal',
    'Greet people',
    '--spec',
    'spec.md',
    '--auto-approve',
    '--until-done',
  )

  assert.equal(code, 0, stderr)
  assert.match(stderr, /models are played by the rehearsal/)
  assert.match(stdout, /goal COMPLETED · MERGED 3\n.*3 approvals, 1 rejection\n/)
  assert.match(await gitText(account.project, ['show', 'integration:rehearsal/note-1.md']), /Read and checked\./)
  assert.equal(await gitText(account.project, ['status', '--porcelain']), '')
})
