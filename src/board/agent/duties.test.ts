import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { blockTask } from '../task/block.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { boardOf } from '../find.ts'
import { mergeWork } from '../task/merge.ts'
import { recordsOf } from '../records.ts'
import { addCheckpoint, logAnomaly } from '../view/report.ts'
import { claimReview } from '../task/review.ts'
import { submitTask } from '../task/submit/submit.ts'
import { aRejection, claimedBoard, readyBoard, type TestBoard } from '../test-board.ts'
import { unblockTask } from '../task/unblock.ts'
import { recordVerdict } from '../task/verdict.ts'
import { openCauses } from '../team/planner/causes.ts'
import { plannerText } from '../team/planner/planner.ts'
import { commandSettingsWith } from '../../sandbox/test-command-settings.ts'

async function anomaliesOf(board: TestBoard) {
  return (await recordsOf(board, 'anomaly')).map(({ type, details }) => ({ type, ...details }))
}

test('[B115] the same blocker in more than two rejections in a row is logged as a retry loop, once for five of them and with no team at work', async (t) => {
  const board = await readyBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  for (const round of [1, 2, 3, 4, 5]) {
    const { review_commit } = await board.submitted(coder, 'task-1', `try-${round}.txt`)
    await claimReview(board, reviewer)
    const prior_findings = round === 1 ? [] : [{ id: `${round - 1}.1`, status: 'STILL PRESENT' }]
    await recordVerdict(board, reviewer, 'task-1', aRejection(review_commit ?? '', { prior_findings }))
  }

  const logged = (await anomaliesOf(board)).filter(({ type }) => type !== 'review_deadlock')

  assert.deepEqual(logged, [{ type: 'retry_loop', count: 3, error_pattern: 'a.txt (done_when): the list is not printed.' }])
})

test('[B115] the same failure of more than two merges is logged as a retry loop, once', async (t) => {
  const board = {
    ...(await readyBoard(t, { config: { integration_test: 'exit 3' } })),
    commands: commandSettingsWith({ unsandboxed: true }),
  }
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  for (const round of [1, 2, 3, 4]) {
    await board.submitted(coder, 'task-1', `try-${round}.txt`)
    await board.approved(reviewer, 'task-1')
    await mergeWork(board, reviewer, 'task-1')
  }

  const logged = await anomaliesOf(board)

  assert.deepEqual(logged, [
    { type: 'retry_loop', count: 3, error_pattern: 'the integration test exited with 3; integration without this work fails it too' },
  ])
})

test('[B116] files touched beyond the checkpoint a coder wrote are logged as a scope deviation when it hands in', async (t) => {
  const { board, coder } = await claimedBoard(t)
  await addCheckpoint(board, coder, 'task-1', { intent: 'list', files_to_modify: ['src/', 'list.txt'] })
  for (const file of ['src/list.test.ts', 'list.txt']) await board.work('task-1', file, 'users')
  const commit = await board.work('task-1', 'other.txt', 'more')
  await submitTask(board, coder, 'task-1', commit)

  const logged = await anomaliesOf(board)

  assert.deepEqual(logged, [{ type: 'scope_deviation', files: ['other.txt'], stated: ['src/', 'list.txt'], commit }])
})

test('[B117] a task at which two coders failed is logged as hypothesis exhaustion when the second one blocks it', async (t) => {
  const board = await readyBoard(t)
  for (const id of ['coder-1', 'coder-2']) {
    const coder = await board.agent(id)
    if (id === 'coder-2') await unblockTask.run({ ...board, actor: { human: 'ann' } }, { task: 'task-1', answer: 'try once more' })
    await claimWithWorktree(board, coder, 'task-1')
    await blockTask(board, coder, 'task-1', { blocked_reason: 'The list has no order', blocked_questions: ['Which order?'] })
  }

  const logged = await anomaliesOf(board)

  assert.deepEqual(logged, [{ type: 'hypothesis_exhaustion', failed_by: ['coder-1', 'coder-2'], last_reason: 'The list has no order' }])
})

test('[B117] a coder that used up its iterations counts as one of the two', async (t) => {
  const board = await readyBoard(t)
  await board.put('task-1', { status: 'REJECTED', assigned_to: 'coder-1', iteration: 10, failed_by: ['coder-2'] })

  const taken = await claimWithWorktree(board, await board.agent('coder-1'))

  assert.deepEqual([taken, (await anomaliesOf(board)).map(({ type }) => type)], [null, ['hypothesis_exhaustion']])
})

test('[B173] an ambiguity of its instructions that another agent logs is put before the planner, one of the planner’s own is not', async (t) => {
  const board = await readyBoard(t)
  const details = { protocol_section: 'scope', question: 'May a coder rename a file of another task?' }
  const log = async (agent: 'coder-1' | 'planner-1') =>
    perform(logAnomaly, { ...board, actor: await board.agent(agent) }, { type: 'system_ambiguity', details })

  await log('planner-1')
  await log('coder-1')
  const item = await boardOf(board)
  const [cause, ...others] = await openCauses(board.driver, item)

  assert.ok(cause)
  assert.deepEqual([cause.trigger, others.length], ['SYSTEM_AMBIGUITY', 0])
  assert.equal(cause.about, 'coder-1 on scope: May a coder rename a file of another task?')
  const { task: told = '' } = await plannerText(board, item, 'planner-1', cause, [])
  assert.match(told, /WAKE TRIGGER: SYSTEM_AMBIGUITY: coder-1 on scope: May a coder[^]*checkpoint where only a person can/)
})
