import { lastEvent } from '../../../domain/board/event.ts'
import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BoardConfig } from '../../../domain/board/board.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Cleanup } from '../../../sandbox/test-folder.ts'
import { agentAuthor, commitAll } from '../../../worktrees/commit.ts'
import { readActivity } from '../../activity.ts'
import { claimWithWorktree } from '../claim.ts'
import { placeOf } from '../../worktree/prepare.ts'
import { recordsOf } from '../../records.ts'
import { filesBeyondScope, isTest } from './tests-in-range.ts'
import { submitTask } from './submit.ts'
import { testBoard } from '../../test-board.ts'

test('[B203] code without a test is stopped when it is handed in, and with a test or another kind of task it is not', async (t) => {
  const bare = await withFiles(t, { 'src/add.js': 'export const add = 1\n' })
  const tested = await withFiles(t, { 'src/add.js': 'export const add = 1\n', 'src/add.test.js': 'test()\n' })
  const inline = await withFiles(t, { 'src/lib.rs': 'fn add() {}\n#[cfg(test)]\nmod tests {}\n' })
  const config = await withFiles(t, { 'src/settings.js': 'export default {}\n' }, { kind: 'config' })
  const off = await withFiles(t, { 'src/add.js': 'export const add = 1\n' }, { config: { require_tests: false } })
  const own = await withFiles(
    t,
    { 'src/add.js': 'export const add = 1\n', 'checks/add.js': '1\n' },
    { config: { test_paths: 'checks/**' } },
  )

  assert.deepEqual(await bare.faults(), ['tests'])
  for (const scene of [tested, inline, config, off, own]) assert.equal((await scene.submit()).status, 'READY_FOR_REVIEW')
})

test('[B203] a coder hands code without a test in with a reason, which is logged and kept for the reviewer', async (t) => {
  const { board, submit } = await withFiles(t, { 'src/add.js': 'export const add = 1\n' })

  const { history } = await submit('A generated file; its generator is tested')

  const submitted = lastEvent(history, 'submitted_for_review')
  assert.deepEqual([submitted?.overridden, submitted?.override], [['tests'], 'A generated file; its generator is tested'])
  const lines = await readActivity(board.driver, board.board_id)
  assert.ok(lines.some(({ action, detail }) => action === 'submission_override' && detail.includes('its generator is tested')))
})

test('[B204] a link out of the project, a key and a large binary file are stopped when they are handed in', async (t) => {
  const key = ['AKIA', 'IOSFODNN7EXAMPLE'].join('')
  const outside = await withFiles(t, {}, { link: ['passwd', '/etc/passwd'] })
  const above = await withFiles(t, {}, { link: ['up', '../../../other'] })
  const inside = await withFiles(t, { 'b.txt': 'b' }, { link: ['b-link.txt', 'b.txt'] })
  const secret = await withFiles(t, { 'notes.txt': `key ${key}\n` })
  const named = await withFiles(t, { '.env': 'TOKEN=1\n' })
  const binary = await withFiles(t, { 'film.bin': '\0'.repeat(5_000_001) })

  assert.deepEqual(
    [await outside.faults(), await above.faults(), await secret.faults(), await named.faults(), await binary.faults()],
    [['links'], ['links'], ['secrets'], ['secrets'], ['binaries']],
  )
  assert.equal((await inside.submit()).status, 'READY_FOR_REVIEW')
  assert.equal((await outside.submit('The test needs such a link')).status, 'READY_FOR_REVIEW')
})

test('[B204] a person turns the check of submissions off for a board', async (t) => {
  const { submit } = await withFiles(t, { '.env': 'TOKEN=1\n' }, { config: { check_submissions: false } })

  assert.equal((await submit()).status, 'READY_FOR_REVIEW')
})

test('[B205] files outside the paths that a scope names are told when work is handed in, and logged', async (t) => {
  const scene = await withFiles(
    t,
    { 'src/a.txt': 'a', 'other/b.txt': 'b', 'src/a.test.js': '1' },
    { scope: 'IN: src/ and touched.txt. OUT: other/' },
  )

  const { history } = await scene.submit()

  assert.deepEqual(lastEvent(history, 'submitted_for_review')?.outside_scope, ['other/b.txt'])
  const [logged] = await recordsOf(scene.board, 'anomaly', 'task-1')
  assert.deepEqual([logged?.type, logged?.details['files']], ['scope_deviation', ['other/b.txt']])
})

test('[B205] a scope that names no path is held against no file', () => {
  const scopes = ['IN: paging of GET /users. OUT: sorting', 'IN: the Node.js server', 'everything about the list and/or its order', null]

  for (const scope of scopes) assert.deepEqual(filesBeyondScope(scope, ['src/a.ts'], null), [], String(scope))
  assert.deepEqual(filesBeyondScope('IN: src/users.ts and docs/', ['src/users.ts', 'docs/a.md', 'src/b.ts'], null), ['src/b.ts'])
})

test('[B203] tests are known by the names that the usual languages give them', () => {
  const tests = [
    'src/a.test.ts',
    'a_test.go',
    'test_a.py',
    'tests/a.rs',
    'src/test/java/UserTest.java',
    'spec/user_spec.rb',
    'a.bats',
    'test/a.exs',
    '__tests__/a.js',
    'UserTests.cs',
    'features/a.feature',
  ]
  const others = ['src/a.ts', 'specs/users.md', 'tests/README.md', 'src/contest.ts', 'latest.py', 'src/attestation.go']

  assert.deepEqual(
    tests.filter((path) => !isTest(path)),
    [],
  )
  assert.deepEqual(
    others.filter((path) => isTest(path)),
    [],
  )
})

interface Range {
  kind?: 'code' | 'config'
  scope?: string
  link?: [string, string]
  config?: Partial<BoardConfig>
}

/** A claimed task whose coder has committed these files. */
async function withFiles(t: Cleanup, files: Record<string, string>, { kind = 'code', scope = 'IN: it', link, config = {} }: Range = {}) {
  const board = await testBoard(t, { config })
  await board.ready({ kind, scope })
  const coder = await board.agent('coder-1')
  await claimWithWorktree(board, coder)
  const { path } = placeOf(board.repository.root, { id: 'task-1' })
  await writeFile(join(path, 'touched.txt'), 'so that there is something to hand in\n')
  if (link) await symlink(link[1], join(path, link[0]))
  await commitAll(path, 'Work', agentAuthor('coder-1'))
  for (const [name, text] of Object.entries(files)) await board.work('task-1', name, text)
  const submit = (override?: string) => submitTask(board, coder, 'task-1', null, override ?? null)
  async function faults(): Promise<unknown> {
    const error = await submit().then(
      () => null,
      (problem: unknown) => problem,
    )
    const listed = error instanceof Problem ? error.details['faults'] : []
    return Array.isArray(listed) ? listed.map((fault: { check?: unknown }) => fault.check) : []
  }
  return { board, submit, faults }
}
