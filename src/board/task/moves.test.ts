import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { finalStates, taskFlow, type TaskState } from '../../domain/board/task-flow.ts'
import { addTask } from './add.ts'
import { blockTask } from './block.ts'
import { claimWithWorktree } from './claim.ts'
import { finalizeTask } from './finalize.ts'
import { mergeWork } from './merge.ts'
import { claimReview } from './review.ts'
import { submitTask } from './submit/submit.ts'
import { abandonTask, supersedeTask } from './supersede.ts'
import { anApproval, ann, aRejection, readyBoard, testBoard, type TestBoard } from '../test-board.ts'
import { unblockTask } from './unblock.ts'
import { recordVerdict } from './verdict.ts'

const sha = 'a'.repeat(40)
const rescope = { reason: 'too large', root_cause: 'two things in one', replacements: [{ description: 'half' }] }

test('[B2] a refused move names the states it starts from and what leads there', async (t) => {
  const board = await testBoard(t)
  const coder = await board.agent('coder-1')
  await perform(addTask, { ...board, actor: ann }, { description: 'A draft' })

  await assert.rejects(claimWithWorktree(board, coder, 'task-1'), {
    code: 'move_refused',
    message: 'cannot claim this task: it is DRAFT and must be UNCLAIMED, REJECTED or INTEGRATION_FAILED first',
  })
  await assert.rejects(unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'Go on' }), {
    code: 'move_refused',
    message: 'cannot unblock this task: it is DRAFT and must be BLOCKED first',
    next: [{ operation: 'board.finalize_task', input: { task: 'task-1' } }],
  })
})

test('[B2] a task that is not there is refused with the one that was meant', async (t) => {
  const board = await readyBoard(t)

  await assert.rejects(submitTask(board, await board.agent('coder-1'), 'tsk-1', sha), {
    code: 'not_found',
    message: /did you mean task-1\?/,
  })
})

test('[B3] no move is made from a state that the table does not list for it, whoever tries', async (t) => {
  const board = await testBoard(t)
  const agents = {
    coder: await board.agent('coder-1'),
    reviewer: await board.agent('code-reviewer-1'),
    planner: await board.agent('planner-1'),
  }
  await board.ready()

  const slipped: string[] = []
  for (const state of taskFlow.states) {
    for (const [name, { from, run }] of Object.entries(attempts(board, agents))) {
      if (from.includes(state)) continue
      await board.put('task-1', { status: state })
      const outcome = await run().then(
        () => 'done',
        (error: Error & { code?: string }) => error.code,
      )
      if (outcome !== 'move_refused' || (await board.task('task-1')).status !== state) slipped.push(`${name} from ${state}: ${outcome}`)
    }
  }

  assert.deepEqual(slipped, [])
})

test('[B4] a coder cannot approve, reject or merge, a reviewer and a planner cannot submit, and a coder cannot plan', async (t) => {
  const board = await readyBoard(t)
  const [coder, reviewer, planner] = [await board.agent('coder-1'), await board.agent('code-reviewer-1'), await board.agent('planner-1')]
  const { review_commit, spec_hash } = await board.submitted(coder, 'task-1')
  const commit = review_commit ?? ''

  const refused = { code: 'forbidden', message: /may not (approve|reject|merge|submit) a task/ }
  await assert.rejects(recordVerdict(board, coder, 'task-1', anApproval(commit, spec_hash)), refused)
  await assert.rejects(recordVerdict(board, planner, 'task-1', aRejection(commit)), refused)
  await board.approved(reviewer, 'task-1')
  await assert.rejects(mergeWork(board, coder, 'task-1'), refused)
  await board.ready()
  await claimWithWorktree(board, coder, 'task-2')
  await assert.rejects(submitTask(board, reviewer, 'task-2', sha), refused)
  await assert.rejects(perform(addTask, { ...board, actor: coder }, { description: 'Mine' }), {
    code: 'forbidden',
    message: /report a discovery instead/,
  })
  await assert.rejects(claimWithWorktree(board, reviewer), { code: 'forbidden', message: /claimed for coders only/ })
  await assert.rejects(claimReview(board, planner), { code: 'forbidden', message: /code reviewers only/ })
  assert.deepEqual([(await board.task('task-1')).status, (await board.task('task-2')).status], ['APPROVED', 'CLAIMED'])
})

test('[B4] nothing leaves MERGED, SUPERSEDED and ABANDONED', () => {
  assert.deepEqual(finalStates, ['MERGED', 'SUPERSEDED', 'ABANDONED'])
})

test('[B3] a coder may not submit or block the task of another, nor a reviewer judge the review of another', async (t) => {
  const board = await readyBoard(t)
  const [one, two] = [await board.agent('coder-1'), await board.agent('coder-2')]
  const [first, second] = [await board.agent('code-reviewer-1'), await board.agent('code-reviewer-2')]
  const claimed = await claimWithWorktree(board, one)
  const commit = await board.work('task-1', 'users.txt', 'x')

  await assert.rejects(submitTask(board, two, 'task-1', commit), { code: 'forbidden', message: /in the hands of coder-1, not of coder-2/ })
  const why = { blocked_reason: 'nothing is clear here', blocked_questions: ['What now?'] }
  await assert.rejects(blockTask(board, two, 'task-1', why), { code: 'forbidden' })
  await submitTask(board, one, 'task-1', commit)
  await claimReview(board, first)
  await assert.rejects(recordVerdict(board, second, 'task-1', aRejection(commit)), {
    code: 'forbidden',
    message: /under review by code-reviewer-1/,
  })
  assert.equal(claimed?.assigned_to, 'coder-1')
})

type Agents = Record<'coder' | 'reviewer' | 'planner', { agent: string; generation: string }>

/** Every verb, with the states in which its move may begin. */
function attempts(board: TestBoard, { coder, reviewer, planner }: Agents) {
  const why = { blocked_reason: 'nothing is clear here', blocked_questions: ['What now?'] }
  return {
    finalize: { from: starts('finalize'), run: () => perform(finalizeTask, { ...board, actor: planner }, { task: 'task-1' }) },
    claim: { from: starts('claim', 'reclaim'), run: () => claimWithWorktree(board, coder, 'task-1') },
    submit: { from: starts('submit'), run: () => submitTask(board, coder, 'task-1', sha) },
    block: { from: starts('block'), run: () => blockTask(board, coder, 'task-1', why) },
    review: { from: starts('approve'), run: () => claimReview(board, reviewer, 'task-1') },
    approve: { from: starts('approve'), run: () => recordVerdict(board, reviewer, 'task-1', anApproval(sha, null)) },
    reject: { from: starts('reject'), run: () => recordVerdict(board, reviewer, 'task-1', aRejection(sha)) },
    merge: { from: starts('merge'), run: () => mergeWork(board, reviewer, 'task-1') },
    unblock: { from: starts('unblock'), run: () => unblockTask.run({ ...board, actor: planner }, { task: 'task-1', answer: 'Like this' }) },
    supersede: {
      from: starts('supersede'),
      run: () => perform(supersedeTask, { ...board, actor: planner }, { task: 'task-1', ...rescope }),
    },
    abandon: {
      from: starts('abandon'),
      run: () =>
        perform(abandonTask, { ...board, actor: planner }, { task: 'task-1', reason: rescope.reason, root_cause: rescope.root_cause }),
    },
  }
}

function starts(...moves: (keyof typeof taskFlow.moves)[]): TaskState[] {
  return moves.flatMap((move) => taskFlow.moves[move].from)
}
