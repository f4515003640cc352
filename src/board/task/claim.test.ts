import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { each, rowsOf } from '../../domain/test-each.ts'
import { untilLater } from '../../store/test-clock.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { gitText } from '../../worktrees/repository.ts'
import { readActivity } from '../activity.ts'
import { addTask } from './add.ts'
import { approvePlan } from './approve-plan.ts'
import { blockTask } from './block.ts'
import { claimWithWorktree, takeTask } from './claim.ts'
import { pauseBoard, resumeBoard } from '../goal/control.ts'
import { finalizeTask } from './finalize.ts'
import { heartbeat } from '../agent/heartbeat.ts'
import { mergeWork } from './merge.ts'
import { releaseClaim } from './release.ts'
import { handOver } from '../view/report.ts'
import { claimReview } from './review.ts'
import { submitTask } from './submit/submit.ts'
import { ann, aRejection, claimedBoard, readyBoard, testBoard, type TestBoard } from '../test-board.ts'
import { unblockTask } from './unblock.ts'
import { recordVerdict } from './verdict.ts'

const worktreeOf = ({ repository }: TestBoard) => join(repository.root, '.troupe/worktrees/task-1')

test('[B12] the lowest priority number is claimed first, then the oldest, and a coder’s own rejected task before all', async (t) => {
  const board = await testBoard(t)
  const [one, two, reviewer] = [await board.agent('coder-1'), await board.agent('coder-2'), await board.agent('code-reviewer-1')]
  for (const priority of [3, 1, 2, 1]) await board.ready({ priority })

  const first = await claimWithWorktree(board, one)
  const second = await claimWithWorktree(board, two)
  await submitTask(board, one, 'task-2', await board.work('task-2', 'x.txt', 'x'))
  const review = await claimReview(board, reviewer)
  await recordVerdict(board, reviewer, 'task-2', aRejection(review?.task.review_commit ?? ''))
  await submitTask(board, two, 'task-4', await board.work('task-4', 'y.txt', 'y'))
  const third = await claimWithWorktree(board, two)
  const own = await claimWithWorktree(board, one)

  assert.deepEqual([first?.id, second?.id, third?.id, own?.id], ['task-2', 'task-4', 'task-3', 'task-2'])
  assert.deepEqual([own?.iteration, own?.review_cycles_current, own?.history.at(-1)?.event], [2, 1, 'reclaimed_after_rejection'])
})

test('[B13] a task is not claimable before everything it depends on is merged', async (t) => {
  const board = await readyBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  await board.ready({ depends_on: ['task-1'] })
  await board.submitted(coder, 'task-1')

  const none = await claimWithWorktree(board, coder)
  await assert.rejects(claimWithWorktree(board, coder, 'task-2'), {
    code: 'conflict',
    message: /depends on task-1, and not all of it is merged/,
  })
  await board.approved(reviewer, 'task-1')
  await mergeWork(board, reviewer, 'task-1')
  const then = await claimWithWorktree(board, coder)

  assert.deepEqual([none, then?.id], [null, 'task-2'])
  const told = (await readActivity(board.driver, board.board_id)).filter(({ action }) => action === 'claimable')
  assert.deepEqual(rowsOf(told, 'task', 'detail'), [['task-2', 'task-1 merged']])
})

test('[B14] nothing is claimable before a person approved the plan, unless that was waived on purpose', async (t) => {
  const board = await testBoard(t)
  const waived = await testBoard(t, { config: { auto_approve: true } })
  const plan = { description: 'List users', spec_ref: 'spec.md', done_when: 'a.txt lists 2 users', scope: 'IN: it' }
  const coders = [await board.agent('coder-1'), await waived.agent('coder-1')] as const
  for (const one of [board, waived]) {
    await perform(addTask, { ...one, actor: ann }, plan)
    await perform(finalizeTask, { ...one, actor: ann }, { task: 'task-1' })
  }

  const [before, free] = [await claimWithWorktree(board, coders[0]), await claimWithWorktree(waived, coders[1])]
  await assert.rejects(claimWithWorktree(board, coders[0], 'task-1'), {
    code: 'needs_person',
    message: /before a person approves the plan/,
  })
  const { approved } = await perform(approvePlan, { ...board, actor: { human: 'ann' } }, {})
  const after = await claimWithWorktree(board, coders[0])

  assert.deepEqual([before, free?.id, approved, after?.id, after?.plan_approved_by], [null, 'task-1', ['task-1'], 'task-1', 'ann'])
})

test('[B15] an expired claim is taken over: the same coder finds its worktree, another gets a fresh one with the work in it, and the old work is kept', async (t) => {
  const { board } = await claimedBoard(t)
  const two = await board.agent('coder-2')
  await board.work('task-1', 'committed.txt', 'c')
  await writeFile(join(worktreeOf(board), 'loose.txt'), 'not committed')
  await board.expire('coder-1')
  const again = await board.agent('coder-1')

  const kept = await claimWithWorktree(board, again)
  const found = existsSync(join(worktreeOf(board), 'loose.txt'))
  await board.expire('coder-1')
  const fresh = await claimWithWorktree(board, two)

  const refs = await gitText(board.repository.root, ['for-each-ref', '--format=%(refname)', 'refs/troupe'])
  assert.deepEqual([kept?.assigned_to, found, fresh?.assigned_to, fresh?.iteration], ['coder-1', true, 'coder-2', 3])
  assert.equal(existsSync(join(worktreeOf(board), 'committed.txt')), true)
  assert.deepEqual(
    [await fileAt(board.repository.root, refs, 'committed.txt'), await fileAt(board.repository.root, refs, 'loose.txt')],
    ['c', 'not committed'],
  )
  assert.equal((await heartbeat(board, again)).task, null)
  await assert.rejects(submitTask(board, again, 'task-1', 'a'.repeat(40)), { code: 'forbidden' })
})

test('[B15] a claim whose lease still runs is nobody else’s', async (t) => {
  const { board } = await claimedBoard(t)
  const two = await board.agent('coder-2')

  const nothing = await claimWithWorktree(board, two)

  assert.equal(nothing, null)
  await assert.rejects(claimWithWorktree(board, two, 'task-1'), { code: 'conflict', message: /coder-1 holds task-1 until/ })
})

test('[B16] a worktree that cannot be made gives the claim back and leaves what is in its place', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  await mkdir(worktreeOf(board), { recursive: true })
  await writeFile(join(worktreeOf(board), 'mine.txt'), 'precious')

  await assert.rejects(claimWithWorktree(board, coder), { code: 'conflict', message: /left untouched/ })

  const task = await board.task('task-1')
  assert.deepEqual([task.status, task.assigned_to, task.history.at(-1)?.event], ['UNCLAIMED', null, 'coder_claim_released'])
  assert.equal(existsSync(join(worktreeOf(board), 'mine.txt')), true)
  assert.equal((await heartbeat(board, coder)).agent.status, 'IDLE')
})

test('[B16] a process that died between the claim and its worktree is repaired by the next heartbeat or claim', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  const base = await gitText(board.repository.root, ['rev-parse', 'integration'])
  await takeTask(board, coder, base)

  const pulse = await heartbeat(board, coder)
  const made = existsSync(worktreeOf(board))
  await rm(worktreeOf(board), { recursive: true })
  await heartbeat(board, coder)

  assert.deepEqual([made, pulse.task?.worktree_by, existsSync(worktreeOf(board))], [true, 'coder-1', true])
})

test('[B16] while a claim lays its worktree out, heartbeats renew its lease and leave the worktree to it', async (t) => {
  const board = await readyBoard(t, { config: { lease_duration: 200 } })
  const coder = await board.agent('coder-1')
  const taken = await takeTask(board, coder, await gitText(board.repository.root, ['rev-parse', 'integration']))
  await untilLater(board.driver)

  const pulse = await heartbeat(board, coder, 0, true)

  assert.equal(existsSync(worktreeOf(board)), false)
  assert.ok((pulse.task?.lease_expires ?? '') > (taken?.lease_expires ?? ''))
})

test('[B17] while the board is paused nobody gets work, and after that everybody does', async (t) => {
  const board = await readyBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]

  await perform(pauseBoard, { ...board, actor: ann }, { message: 'lunch' })

  await assert.rejects(claimWithWorktree(board, coder), {
    code: 'needs_person',
    message: /under PAUSE since .* by ann/,
    next: [{ operation: 'board.resume' }],
  })
  await assert.rejects(claimReview(board, reviewer), { code: 'needs_person' })
  assert.equal((await heartbeat(board, coder)).signal?.name, 'PAUSE')
  await perform(resumeBoard, { ...board, actor: ann }, { decision: '' })
  assert.equal((await claimWithWorktree(board, coder))?.id, 'task-1')
})

test('[B18] a claim is given back by its coder, and taken away by a person only when it ran out or on purpose', async (t) => {
  const { board, coder: one } = await claimedBoard(t)
  const two = await board.agent('coder-2')

  await assert.rejects(releaseClaim(board, two, 'task-1', { reason: 'mine' }), { code: 'forbidden' })
  await assert.rejects(
    releaseClaim(board, ann, 'task-1', { reason: 'hurry' }),
    (error: Problem) => error.code === 'confirmation_required' && error.next[0]?.input?.['force'] === true,
  )
  const released = await releaseClaim(board, ann, 'task-1', { reason: 'hurry', force: true })

  assert.deepEqual([released.status, released.assigned_to], ['UNCLAIMED', null])
  assert.equal((await claimWithWorktree(board, one))?.id, 'task-1')
})

test('[B19] what an agent hands over is found as it was by whoever goes on', async (t) => {
  const { board, coder: one } = await claimedBoard(t)
  const two = await board.agent('coder-2')
  await board.work('task-1', 'half.txt', 'half')

  await handOver(board, one, { task: 'task-1', summary: 'half is there', next_action: 'write the rest', context_used: 92 })
  const task = await claimWithWorktree(board, two)

  assert.deepEqual([task?.assigned_to, task?.handoff_pending], ['coder-2', false])
  assert.equal(task?.history.at(-1)?.event, 'reclaimed_after_handoff')
  assert.equal(existsSync(join(worktreeOf(board), 'half.txt')), true)
  assert.equal((await board.agent('coder-1')).agent, 'coder-1')
})

test('[B119] a task that another coder takes up is said to be reassigned, with who had it before, however that one lost it', async (t) => {
  const board = await readyBoard(t)
  const [one, two] = [await board.agent('coder-1'), await board.agent('coder-2')]
  await claimWithWorktree(board, one)
  await releaseClaim(board, one, 'task-1', { reason: 'not mine' })
  await claimWithWorktree(board, two)
  await blockTask(board, two, 'task-1', { blocked_reason: 'The list has no order', blocked_questions: ['Which order?'] })
  await unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'by name' })
  await claimWithWorktree(board, one)
  await board.expire('coder-1')
  await claimWithWorktree(board, two, 'task-1')
  await releaseClaim(board, two, 'task-1', { reason: 'a pause' })
  await claimWithWorktree(board, two)

  const claims = (await readActivity(board.driver, board.board_id)).filter(({ action }) => action === 'claimed')

  assert.deepEqual(each(claims, 'detail'), [
    'claimed, iteration 1',
    'reassigned from coder-1, iteration 2',
    'reassigned from coder-2, iteration 3',
    'reassigned from coder-1, iteration 4',
    'claimed, iteration 5',
  ])
  const { history } = await board.task('task-1')
  assert.deepEqual(
    history.flatMap((event) => ('previous_assignee' in event ? (event.previous_assignee ?? []) : [])),
    ['coder-1', 'coder-2', 'coder-1'],
  )
})
