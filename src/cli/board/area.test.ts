import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { noSandbox } from '../../sandbox/test-no-sandbox.ts'
import { beginRepository } from '../../worktrees/test-repository.ts'
import { anAccount, runTroupe } from '../test-account.ts'

test('[B230] an agent is refused what a person decides, a person what an agent does, and a role what is another’s; nobody is registered by it', async (t) => {
  const account = await anAccount(t, { USER: 'ann' })
  await beginRepository(account.project, { 'spec.md': '# Users\n' })
  await account.troupe('board', 'init', 'List the users', '--spec', 'spec.md')
  await account.troupe('board', 'add', '--description', 'List the users')

  const asAgent = await runTroupe(['board', 'approve-plan', '--json'], {
    cwd: account.project,
    env: { ...account.env, TROUPE_AGENT_ID: 'coder-1' },
  })
  const asPerson = await account.troupe('board', 'claim', '--json')
  const asCoder = await account.troupe('board', 'unblock', 'task-1', '--answer', 'By name', '--as', 'coder-1', '--json')

  assert.deepEqual([asAgent, asPerson, asCoder].map(codeOf), ['forbidden', 'bad_input', 'forbidden'])
  assert.match(asPerson.stderr, /--as coder-1/)
  assert.doesNotMatch((await account.troupe('board', 'log')).stdout, /registered/)
})

test(
  '[S27] a command of the board or of roles notes that the sandbox holds, and the next one does not try it again',
  { skip: noSandbox },
  async (t) => {
    const [board, roles] = [await anAccount(t), await anAccount(t)]
    await beginRepository(board.project, { 'spec.md': '# Users\n' })
    await board.troupe('board', 'init', 'List the users', '--spec', 'spec.md')

    await board.troupe('board', 'list')
    await roles.troupe('roles', 'list')

    for (const { home } of [board, roles]) await access(join(home, '.cache/troupe/sandbox.json'))
  },
)

function codeOf({ stdout }: { stdout: string }): string {
  return (JSON.parse(stdout) as { error: { code: string } }).error.code // as every refusal is printed
}
