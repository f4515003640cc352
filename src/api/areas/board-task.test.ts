import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { addTask } from '../../board/task/add.ts'
import { claimWithWorktree } from '../../board/task/claim.ts'
import { placeOf } from '../../board/worktree/prepare.ts'
import { logAnomaly } from '../../board/view/report.ts'
import { claimReview } from '../../board/task/review.ts'
import { ann, aRejection } from '../../board/test-board.ts'
import { recordVerdict } from '../../board/task/verdict.ts'
import { each, rowsOf } from '../../domain/test-each.ts'
import { openBoard } from './test-board.ts'

test('[B144] a task is shown with its gates, its neighbours, what a person may do, and what was written down', async (t) => {
  const { board, read } = await openBoard(t)
  await board.ready({ id: 'first' })
  await perform(addTask, { ...board, actor: ann }, { id: 'second', description: 'Count them', depends_on: ['first'] })
  await perform(logAnomaly, { ...board, actor: ann }, { task: 'second', type: 'spec_gap', details: { missing: 'the unit' } })
  await read('add_note', { task: 'second', message: 'Count in dozens' })

  const view = await read('get_task', { task: 'second' })
  const unknown = await read('get_task', { task: 'secnd' })

  assert.deepEqual(
    view.gates.filter(({ passed }: { passed: boolean }) => !passed).map(({ gate }: { gate: string }) => gate),
    ['spec_ref', 'done_when', 'scope', 'plan approval', 'dependencies'],
  )
  assert.deepEqual(view.depends_on, [{ id: 'first', title: 'List the users', status: 'UNCLAIMED' }])
  assert.deepEqual(view.moves, ['finalize', 'supersede', 'abandon'])
  assert.deepEqual(each(view.records, 'kind'), ['human_note', 'anomaly', 'alignment'])
  assert.match(unknown.error.message, /did you mean second/)
})

test('[B145] the range of a task comes file by file, with the findings of the verdict beside it', async (t) => {
  const { board, read } = await openBoard(t)
  await board.ready({ id: 'one' })
  const { review_commit } = await board.submitted(await board.agent('coder-1'), 'one', 'sub/one.txt', 'a\nb\n')
  const reviewer = await board.agent('code-reviewer-1')
  await claimReview(board, reviewer, 'one')
  await recordVerdict(board, reviewer, 'one', aRejection(review_commit ?? ''))

  const diff = await read('get_task_diff', { task: 'one' })
  const view = await read('get_task', { task: 'one' })

  assert.equal(diff.head, review_commit)
  assert.deepEqual(rowsOf(diff.files, 'path', 'status', 'added'), [['sub/one.txt', 'added', 2]])
  assert.match(diff.files[0].patch, /^\+b$/m)
  assert.deepEqual([view.verdicts[0].by, view.verdicts[0].verdict.blockers[0].id], ['code-reviewer-1', '1.1'])
})

test('[B146] the files of a worktree are listed and read; secrets and places outside are refused', async (t) => {
  const { board, read } = await openBoard(t)
  await board.ready({ id: 'one' })
  await claimWithWorktree(board, await board.agent('coder-1'), 'one')
  await board.work('one', 'done.txt', 'done\n')
  const { path } = placeOf(board.repository.root, { id: 'one' })
  await writeFile(join(path, 'open.txt'), 'open\n')
  await writeFile(join(path, '.env'), 'KEY=1\n')

  const { files } = await read('list_task_files', { task: 'one' })
  const file = await read('read_task_file', { task: 'one', path: 'open.txt' })
  const refused = await Promise.all(
    ['.env', '../../../spec.md', '/etc/passwd'].map((name) => read('read_task_file', { task: 'one', path: name })),
  )

  assert.deepEqual(
    files.filter(({ path: name }: { path: string }) => name !== '.env'),
    [
      { path: 'open.txt', state: 'uncommitted' },
      { path: 'done.txt', state: 'changed' },
      { path: 'a.txt', state: 'same' },
      { path: 'spec.md', state: 'same' },
    ],
  )
  assert.equal(file.text, 'open\n')
  assert.deepEqual(
    refused.map(({ error }) => error.code),
    ['denied', 'denied', 'denied'],
  )
})
