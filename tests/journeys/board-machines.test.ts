import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../src/domain/operation.ts'
import { addTask } from '../../src/board/task/add.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { finalizeTask } from '../../src/board/task/finalize.ts'
import { beginGoal } from '../../src/board/goal/init.ts'
import { rowsOf } from '../../src/domain/test-each.ts'
import { openStore } from '../../src/store/open.ts'
import { startTestServer } from '../../src/store/postgres/test-postgres-server.ts'
import { boards, tasks } from '../../src/store/tables.ts'
import { beginRepository, fileAt } from '../../src/worktrees/test-repository.ts'
import { gitText, openRepository } from '../../src/worktrees/repository.ts'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
import { startTroupe } from './team-project.ts'
import { approved, coder, committed, made, rejected, removed, reply, reviewer, submitted, teamScript } from './team-script.ts'
import { withoutCommands } from '../../src/board/test-board.ts'

const ids = ['first', 'second']
const script = teamScript(
  reply(coder, 'MUST address each blocker', removed('first.txt'), made('first.txt', 'ann\n'), committed, submitted),
  reply(coder, 'TASK ID: first', made('first.txt', '\n'), committed, submitted),
  reply(coder, 'TASK ID: second', made('second.txt', 'bob\n'), committed, submitted),
  reply(reviewer, 'each earlier blocker', approved('1.1')),
  reply(reviewer, 'TASK ID: first', rejected('first.txt')),
  reply(reviewer, 'TASK ID: ', approved()),
)

test('[B132] [B133] coders on one machine and reviewers on another share a board through PostgreSQL and a git remote', async (t) => {
  const server = await startTestServer('fast')
  t.after(() => server.stop())
  const store = server.address('postgres')
  const account = await anAccount(t)
  const model = await account.script(script)
  const remote = join(account.home, 'shared.git')
  const [here, there] = [await aClone(account, remote, 'here'), await aClone(account, remote, 'there')]
  const driver = await openStore(store)
  t.after(() => driver.close())
  const board = await aBoard(driver, here)
  const main = await gitText(remote, ['rev-parse', 'main'])
  const team = (cwd: string, ...members: string[]) =>
    startTroupe(t, cwd, { ...account.env, TROUPE_STORE: store }, ['team', ...members, '--until-done', '--model', model]).ended

  const codes = await Promise.all([team(here, '--coders', '2', '--reviewers', '0'), team(there, '--coders', '0', '--reviewers', '1')])

  assert.deepEqual(codes, [0, 0])
  const done = await tasks.items(driver, { order: ['number'] })
  assert.deepEqual(
    rowsOf(done, 'id', 'status', 'approved_by'),
    ids.map((id) => [id, 'MERGED', 'code-reviewer-1']),
  )
  assert.equal((await boards.get(driver, board.board_id)).item.goal.status, 'COMPLETED')
  assert.equal(await fileAt(remote, 'integration', 'first.txt'), 'ann\n')
  assert.equal(await fileAt(remote, 'integration', 'second.txt'), 'bob\n')
  const head = await gitText(remote, ['rev-parse', 'integration'])
  assert.equal(done.map(({ merge_commit }) => merge_commit).includes(head), true)
  assert.equal(await gitText(remote, ['rev-parse', 'main']), main)
  assert.equal(await gitText(remote, ['for-each-ref', 'refs/heads/task', 'refs/troupe']), '')
  for (const clone of [here, there]) assert.equal(await gitText(clone, ['status', '--porcelain']), '')
  assert.equal(existsSync(join(there, '.troupe/state.yaml')), true)
})

/** A machine has a clone of its own; the first one made fills the remote. */
async function aClone(account: Account, remote: string, name: string): Promise<string> {
  const clone = join(account.home, name)
  if (!existsSync(remote)) {
    await beginRepository(account.project, { 'spec.md': '# Users\n\nList them.\n' })
    await gitText(account.home, ['clone', '--quiet', '--bare', account.project, remote])
  }
  await gitText(account.home, ['clone', '--quiet', remote, clone])
  return clone
}

async function aBoard(driver: BoardWorkspace['driver'], clone: string): Promise<BoardWorkspace> {
  const repository = await openRepository(clone)
  const config = { auto_approve: true, remote: 'origin' }
  const { id: board_id } = await beginGoal(driver, repository, { goal: 'List the users', spec_ref: 'spec.md', config }, 'ann')
  const board: BoardWorkspace = { driver, board_id, repository, ...withoutCommands }
  for (const [at, id] of ids.entries()) {
    const plan = { description: id, kind: 'doc', spec_ref: 'spec.md', done_when: `${id}.txt names 1 user`, scope: 'IN: a file' } as const
    await perform(addTask, { ...board, actor: { human: 'ann' } }, { id, ...plan, depends_on: ids.slice(0, at) })
    await perform(finalizeTask, { ...board, actor: { human: 'ann' } }, { task: id })
  }
  return board
}
