import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { boardKey } from '../../domain/board/board.ts'
import { each } from '../../domain/test-each.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { heartbeat } from './heartbeat.ts'
import { leaveBoard, agentReady, registerAgent } from './register.ts'
import { claimReview } from '../task/review.ts'
import { submitTask } from '../task/submit/submit.ts'
import { anApproval, claimedBoard, reviewedBoard, testBoard } from '../test-board.ts'
import { recordVerdict } from '../task/verdict.ts'

test('[B5] an agent’s id is its role and a number, and anything else is refused', async (t) => {
  const board = await testBoard(t)

  for (const id of ['coder', 'coder1', 'my-coder-1', 'coder-1; rm -rf /', 'code_reviewer-1', 'coder-', '']) {
    await assert.rejects(registerAgent(board, { id }), { code: 'bad_input', message: /coder-N, code-reviewer-N or planner-N/ }, id)
  }

  assert.equal(await boardAgents.count(board.driver, { board_id: board.board_id }), 0)
})

test('[B6] a living agent keeps its id, and a refused registration touches nobody’s entry', async (t) => {
  const board = await testBoard(t)
  const first = await board.agent('coder-1')
  const before = await boardAgents.get(board.driver, boardKey({ board_id: board.board_id, id: 'coder-1' }))

  await assert.rejects(registerAgent(board, { id: 'coder-1' }), { code: 'conflict', message: /coder-1 is registered and alive until/ })

  assert.deepEqual(await boardAgents.get(board.driver, boardKey({ board_id: board.board_id, id: 'coder-1' })), before)
  assert.equal((await heartbeat(board, first)).agent.status, 'IDLE')
})

test('[B6] the supervisor is given the first free number of a role', async (t) => {
  const board = await testBoard(t)
  await board.agent('coder-1')
  await board.agent('coder-3')

  const ids = [
    await registerAgent(board, { role: 'coder' }),
    await registerAgent(board, { role: 'coder' }),
    await registerAgent(board, { role: 'code_reviewer' }),
  ]

  assert.deepEqual(each(ids, 'agent'), ['coder-2', 'coder-4', 'code-reviewer-1'])
})

test('[B7] when an id passes to a new registration, the old one is refused everything', async (t) => {
  const { board, coder: ghost } = await claimedBoard(t)
  const commit = await board.work('task-1', 'users.txt', 'x')
  await board.expire('coder-1')

  const heir = await board.agent('coder-1')

  const fenced = { code: 'forbidden', message: /registered again by another process; this one must stop/ }
  await assert.rejects(heartbeat(board, ghost), fenced)
  await assert.rejects(submitTask(board, ghost, 'task-1', commit), fenced)
  await assert.rejects(leaveBoard(board, ghost, 'done'), fenced)
  await assert.rejects(submitTask(board, heir, 'task-1', commit), { code: 'forbidden', message: /claim it again before going on/ })
  assert.equal((await claimWithWorktree(board, heir))?.id, 'task-1')
})

test('[B7, B21] a reviewer that was registered anew has to take the review again before its verdict counts', async (t) => {
  const { board, commit, spec_hash } = await reviewedBoard(t)
  await board.expire('code-reviewer-1')
  const heir = await board.agent('code-reviewer-1')

  await assert.rejects(recordVerdict(board, heir, 'task-1', anApproval(commit, spec_hash)), {
    code: 'forbidden',
    message: /claim the review first/,
  })

  assert.equal((await board.task('task-1')).status, 'READY_FOR_REVIEW')
})

test('[B15] a review that ran out is taken over by another reviewer, and the verdict of the first counts no more', async (t) => {
  const { board, reviewer: first, commit, spec_hash } = await reviewedBoard(t)
  const second = await board.agent('code-reviewer-2')
  const early = await claimReview(board, second)
  await board.expire('code-reviewer-1')

  const taken = await claimReview(board, second)
  const late = recordVerdict(board, first, 'task-1', anApproval(commit, spec_hash))

  assert.deepEqual([early, taken?.task.reviewing_by], [null, 'code-reviewer-2'])
  await assert.rejects(late, { code: 'forbidden', message: /under review by code-reviewer-2, not by code-reviewer-1/ })
  assert.equal((await board.task('task-1')).status, 'READY_FOR_REVIEW')
})

test('[B8] a heartbeat renews the leases of the agent, of its task, of its review and of what was sent back to it', async (t) => {
  const { board, coder, reviewer } = await bothAtWork(t)
  await board.expire('coder-1')
  await board.expire('code-reviewer-1')

  const [mine, theirs] = [await heartbeat(board, coder, 40), await heartbeat(board, reviewer)]

  const now = new Date().toISOString()
  assert.equal(mine.agent.context_percent, 40)
  for (const lease of [mine.agent.lease_expires, mine.task?.lease_expires, theirs.agent.lease_expires, theirs.task?.review_lease_expires]) {
    assert.ok((lease ?? '') > now, String(lease))
  }
  assert.deepEqual([mine.task?.id, theirs.task?.id], ['task-2', 'task-1'])
})

test('[B9] an agent that leaves gives back its task and its review at once', async (t) => {
  const { board, coder, reviewer } = await bothAtWork(t)

  await leaveBoard(board, coder, 'stopped')
  await leaveBoard(board, reviewer, 'stopped')

  const [one, two] = [await board.task('task-1'), await board.task('task-2')]
  assert.deepEqual([one.status, one.reviewing_by, two.status, two.assigned_to], ['READY_FOR_REVIEW', null, 'UNCLAIMED', null])
  assert.equal(await boardAgents.count(board.driver, { board_id: board.board_id }), 0)
})

test('[B10] two boards in one store have tasks and agents of the same names', async (t) => {
  const board = await testBoard(t)
  const other = await testBoard(t, { open: async () => board.driver })

  for (const one of [board, other]) {
    const coder = await one.agent('coder-1')
    await one.ready()
    await claimWithWorktree(one, coder)
  }

  assert.equal(await tasks.count(board.driver, { status: 'CLAIMED' }), 2)
})

test('[B11] a coder may take new work while its last task waits, and only one task at a time', async (t) => {
  const board = await testBoard(t)
  const coder = await board.agent('coder-1')
  for (let at = 0; at < 3; at++) await board.ready()
  await board.submitted(coder, 'task-1')

  const second = await claimWithWorktree(board, coder)

  assert.equal(second?.id, 'task-2')
  await assert.rejects(claimWithWorktree(board, coder), { code: 'conflict', message: /coder-1 is still at task-2/ })
})

test('[B5] an agent that has not said it is ready gets no work', async (t) => {
  const board = await testBoard(t)
  const coder = await registerAgent(board, { id: 'coder-1' })
  await board.ready()

  await assert.rejects(claimWithWorktree(board, coder), { code: 'move_refused', message: /cannot work this agent: it is STARTING/ })
  await agentReady(board, coder)

  assert.equal((await claimWithWorktree(board, coder))?.id, 'task-1')
})

/** A reviewer at the first task of a coder, and the coder at its second. */
async function bothAtWork(t: TestContext) {
  const { board, coder, reviewer } = await reviewedBoard(t)
  await board.ready()
  await claimWithWorktree(board, coder)
  return { board, coder, reviewer }
}
