import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { anApproval, ann, readyBoard, reviewedBoard } from '../test-board.ts'
import { claimWithWorktree } from './claim.ts'
import { rejectTask } from './reject-by-person.ts'
import { lastBlockers } from './verdict.ts'

const findings = [{ file: 'users.txt', location: '1', defect: 'An empty page ends the list', fix: 'End it at the last cursor' }]

test('[V26] a person rejects work under review with findings at its lines; the review that was going on ends, and the coder reads them', async (t) => {
  const { board, commit, spec_hash, give } = await reviewedBoard(t)
  const person = { ...board, actor: ann }

  await assert.rejects(perform(rejectTask, person, { task: 'task-1', findings, review_commit: 'f'.repeat(40) }), { code: 'conflict' })
  await assert.rejects(perform(rejectTask, person, { task: 'task-1', findings: [] }), { code: 'bad_input' })
  const rejected = await perform(rejectTask, person, { task: 'task-1', findings, review_commit: commit })
  await assert.rejects(give(anApproval(commit, spec_hash)), { code: 'move_refused' })

  const [blocker] = await lastBlockers(board.driver, await board.task('task-1'))
  assert.deepEqual([rejected.status, rejected.reviewing_by, rejected.review_cycles_current], ['REJECTED', null, 1])
  assert.deepEqual([blocker?.id, blocker?.file, blocker?.location], ['1.1', 'users.txt', '1'])
  assert.match(rejected.rejection_reason ?? '', /1\.1 users\.txt:1 .*An empty page ends the list Fix: End it at the last cursor/)
})

test('[V26] work that is not under review is not rejected, and no agent rejects as a person', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  await claimWithWorktree(board, coder)

  await assert.rejects(perform(rejectTask, { ...board, actor: ann }, { task: 'task-1', findings }), { code: 'move_refused' })
  await assert.rejects(perform(rejectTask, { ...board, actor: coder }, { task: 'task-1', findings }), { code: 'forbidden' })
})
