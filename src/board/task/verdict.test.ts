import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { each } from '../../domain/test-each.ts'
import { gitText } from '../../worktrees/repository.ts'
import { readActivity } from '../activity.ts'
import { blockTask, holdTask } from './block.ts'
import { claimWithWorktree } from './claim.ts'
import type { Identity } from '../context.ts'
import { placeOf } from '../worktree/prepare.ts'
import { recordsOf } from '../records.ts'
import { claimReview } from './review.ts'
import { submitTask } from './submit/submit.ts'
import {
  anApproval,
  ann,
  aRejection,
  claimedBoard,
  commitSpec,
  readyBoard,
  reviewedBoard,
  submittedBoard,
  type TestBoard,
} from '../test-board.ts'
import { unblockTask } from './unblock.ts'

test('[B20] a submission needs a clean tree and the commit its branch stands at, with work in it', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  const claimed = await claimWithWorktree(board, coder)
  const { path } = placeOf(board.repository.root, { id: 'task-1' })
  const submit = (named: string) => submitTask(board, coder, 'task-1', named)

  await assert.rejects(submit('HEAD'), { code: 'bad_input', message: /not the full id of a commit/ })
  await assert.rejects(submit(claimed?.base_commit ?? ''), { code: 'conflict', message: /has no work on top of/ })
  const commit = await board.work('task-1', 'users.txt', 'x')
  await assert.rejects(submit('f'.repeat(40)), { code: 'conflict', message: /submit the head of the branch/ })
  await writeFile(join(path, 'loose.txt'), 'x')
  await assert.rejects(submit(commit), { code: 'conflict', message: /uncommitted files: loose\.txt/ })
  await gitText(path, ['checkout', '--quiet', '--detach'])
  await assert.rejects(submit(commit), { code: 'conflict', message: /is not on branch task\/task-1/ })
  assert.equal((await board.task('task-1')).status, 'CLAIMED')
})

test('[B21] a verdict counts for the commit that was submitted, and an approval only while the branch still stands there', async (t) => {
  const { board, commit, spec_hash, give } = await reviewedBoard(t)

  await assert.rejects(give(anApproval('b'.repeat(40), spec_hash)), { code: 'conflict', message: /a verdict about b+ does not count/ })
  await board.work('task-1', 'more.txt', 'more')
  await assert.rejects(give(anApproval(commit, spec_hash)), { code: 'conflict', message: /not at the reviewed/ })

  assert.equal((await give(aRejection(commit))).status, 'REJECTED')
})

test('[B22] a spec that changed since the task was made is logged once, shown, and binds the approval', async (t) => {
  const { board, reviewer, commit, give } = await submittedBoard(t)
  await commitSpec(board, '# Users\n\nList them by name.\n\n# Orders\n')
  const first = await claimReview(board, reviewer)
  const again = await claimAgain(board, reviewer)

  await assert.rejects(give(anApproval(commit, (await board.task('task-1')).spec_hash)), {
    code: 'conflict',
    message: /is not what the work was held against/,
  })
  const approved = await give(anApproval(commit, first?.spec_hash ?? null))

  const logged = await recordsOf(board, 'anomaly')
  assert.match(again.spec_delta ?? '', /-List them\.\n\+List them by name\./)
  assert.deepEqual(each(logged, 'type'), ['spec_changed'])
  assert.deepEqual([approved.approved_by, approved.approved_spec_hash], ['code-reviewer-1', first?.spec_hash])
})

test('[B22] a change elsewhere in the spec file does not concern a task that cites one section', async (t) => {
  const { board, reviewer, commit, give } = await submittedBoard(t)
  await commitSpec(board, '# Users\n\nList them.\n\n# Orders\n\nCount them twice.\n')
  await claimReview(board, reviewer)

  const approved = await give(anApproval(commit, (await board.task('task-1')).spec_hash))

  assert.equal(approved.status, 'APPROVED')
})

test('[B23] a verdict that lacks criteria, blockers, a place, a fix or a reason other than taste is refused by its schema', async (t) => {
  const { board, commit, spec_hash, give } = await reviewedBoard(t)
  const [blocker] = aRejection(commit).blockers
  const wrong = [
    { verdict: 'APPROVED', review_commit: commit, spec_hash, criteria: [] },
    { verdict: 'REJECTED', review_commit: commit, blockers: [] },
    aRejection(commit, { blockers: [{ ...blocker, location: '' }] }),
    aRejection(commit, { blockers: [{ ...blocker, fix: 'bad' }] }),
    aRejection(commit, { blockers: [{ ...blocker, anomaly_logged: undefined }] }),
    aRejection(commit, { blockers: [{ ...blocker, criterion: 'style' }] }),
    aRejection(commit, { blockers: [{ ...blocker, criterion: 'spec', spec_ref: null }] }),
    aRejection(commit, { blockers: [{ ...blocker, criterion: 'defect', defect: 'I would prefer another naming here' }] }),
    { verdict: 'LGTM', review_commit: commit },
    'approved',
  ]

  for (const verdict of wrong) {
    await assert.rejects(give(verdict), { code: 'bad_input', message: /^this is not a verdict: / }, JSON.stringify(verdict))
  }

  assert.equal((await board.task('task-1')).status, 'READY_FOR_REVIEW')
})

test('[B24] from the second round on every earlier blocker is answered for, and an approval leaves none open', async (t) => {
  const { board, coder, reviewer, commit, give } = await reviewedBoard(t)
  await assert.rejects(give(aRejection(commit, { prior_findings: [{ id: '1.1', status: 'RESOLVED' }] })), {
    message: /1\.1 does not match any earlier finding; there is none yet/,
  })
  await give(aRejection(commit))
  const second = await board.submitted(coder, 'task-1', 'b.txt', 'b')
  await claimReview(board, reviewer)
  const next = second.review_commit ?? ''

  await assert.rejects(give(aRejection(next)), { code: 'bad_input', message: /missing: 1\.1/ })
  await assert.rejects(give(aRejection(next, { prior_findings: [{ id: '9.9', status: 'RESOLVED' }] })), {
    code: 'bad_input',
    message: '9.9 does not match any earlier finding; there are 1.1',
  })
  await assert.rejects(give(anApproval(next, second.spec_hash, { prior_findings: [{ id: '1.1', status: 'PARTIAL' }] })), {
    code: 'bad_input',
    message: /not RESOLVED: 1\.1/,
  })
  const rejected = await give(aRejection(next, { prior_findings: [{ id: '1.1', status: 'STILL PRESENT', note: 'not printed' }] }))

  assert.match(
    rejected.rejection_reason ?? '',
    /Blockers: 1\n- 2\.1 a\.txt:1 \(done_when\)[^]*Prior feedback:\n- 1\.1: STILL PRESENT, not printed/,
  )
  assert.deepEqual([rejected.review_cycles_current, rejected.review_cycles_total], [2, 2])
})

test('[B25] a task rejected as often as is allowed is blocked as a review deadlock, and logged', async (t) => {
  const { board, coder, reviewer, commit, give } = await reviewedBoard(t, { config: { max_review_cycles: 2 } })
  await give(aRejection(commit))
  const second = await board.submitted(coder, 'task-1', 'b.txt', 'b')
  await claimReview(board, reviewer)

  const prior_findings = [{ id: '1.1', status: 'STILL PRESENT' }]
  const task = await give(aRejection(second.review_commit ?? '', { prior_findings }))

  const [anomaly] = await recordsOf(board, 'anomaly', 'task-1')
  assert.deepEqual([task.status, task.failed_by, anomaly?.type], ['BLOCKED', ['coder-1'], 'review_deadlock'])
  assert.match(task.blocked_reason ?? '', /review deadlock: rejected 2 times/)
  const said = await readActivity(board.driver, board.board_id, { limit: 2 })
  assert.deepEqual(each(said, 'detail'), [task.blocked_reason, 'review_deadlock'])
})

test('[B26] a task that used up its iterations is blocked instead of claimed once more', async (t) => {
  const board = await readyBoard(t, { config: { max_coder_iterations: 2 } })
  await board.ready()
  for (let at = 0; at < 2; at++) {
    await claimWithWorktree(board, await board.agent('coder-1'), 'task-1')
    await board.expire('coder-1')
  }

  const next = await claimWithWorktree(board, await board.agent('coder-1'))

  const task = await board.task('task-1')
  assert.deepEqual([next?.id, task.status, task.blocked_questions.length], ['task-2', 'BLOCKED', 1])
  const unblocked = await unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'The crash is repaired' })
  assert.deepEqual([unblocked.status, unblocked.max_iterations], ['UNCLAIMED', 4])
})

test('[B27] a coder blocks with a reason and one to three questions, or not at all', async (t) => {
  const { board, coder } = await claimedBoard(t)
  const why = {
    blocked_reason: 'The spec does not say how users are sorted',
    blocked_questions: ['By name or by age?'],
    attempted: ['Read spec.md'],
  }

  for (const wrong of [
    { ...why, blocked_reason: '' },
    { ...why, blocked_questions: [] },
    { ...why, blocked_questions: ['Why 1?', 'Why 2?', 'Why 3?', 'Why 4?'] },
  ]) {
    await assert.rejects(blockTask(board, coder, 'task-1', wrong), { code: 'bad_input', message: /a reason and 1 to 3 questions/ })
  }
  const blocked = await blockTask(board, coder, 'task-1', why)

  assert.deepEqual([blocked.status, blocked.failed_by, blocked.attempted], ['BLOCKED', ['coder-1'], ['Read spec.md']])
})

test('[B28] after two failed coders a task does not go back unchanged', async (t) => {
  const board = await readyBoard(t)
  const why = { blocked_reason: 'It cannot be done like this', blocked_questions: ['How then?'] }
  for (const id of ['coder-1', 'coder-2']) {
    const coder = await board.agent(id)
    await claimWithWorktree(board, coder)
    await blockTask(board, coder, 'task-1', why)
    if (id === 'coder-1') await unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'Try again' })
  }

  await assert.rejects(unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'Again' }), {
    code: 'move_refused',
    message: /coder-1 and coder-2 failed at task-1; it cannot go back unchanged/,
  })
  const task = await unblockTask.run(
    { ...board, actor: ann },
    { task: 'task-1', answer: 'Narrower now', done_when: 'users.txt has 1 line' },
  )

  assert.deepEqual([task.status, task.failed_by, task.done_when], ['UNCLAIMED', ['coder-1', 'coder-2'], 'users.txt has 1 line'])
})

test('[B29] a person can take any task out of play, and nobody is blamed for it', async (t) => {
  const { board, coder } = await claimedBoard(t)

  const held = await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: 'human override' })

  assert.deepEqual([held.status, held.failed_by, held.blocked_reason], ['BLOCKED', [], 'human override'])
  await assert.rejects(perform(holdTask, { ...board, actor: coder }, { task: 'task-1', reason: 'me too' }), { code: 'move_refused' })
})

/** The reviewer is asked a second time, as after a restart. */
async function claimAgain(board: TestBoard, reviewer: Identity) {
  await board.expire(reviewer.agent)
  const again = await board.agent(reviewer.agent)
  Object.assign(reviewer, again)
  const review = await claimReview(board, reviewer)
  assert.ok(review)
  return review
}
