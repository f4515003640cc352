import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ZodObject, ZodType } from 'zod'
import { perform } from '../../domain/operation.ts'
import { addTask } from '../task/add.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { beginGoalStep } from '../find.ts'
import { abortBoard, checkpointBoard, pauseBoard, resumeBoard, stopForLook } from '../goal/control.ts'
import { addOnce } from '../records.ts'
import { addCheckpoint, addHumanNote, recordSpecChange, handOver, logAnomaly, logDiscovery, settleDiscovery } from './report.ts'
import { boardOf } from '../find.ts'
import { each } from '../../domain/test-each.ts'
import { untilLater } from '../../store/test-clock.ts'
import { boardState } from './state.ts'
import { abandonTask } from '../task/supersede.ts'
import { completeWhenReached } from '../team/upkeep/complete-goal.ts'
import { ann, claimedBoard, readyBoard, testBoard } from '../test-board.ts'

test('[B47] an anomaly without the details its type requires is refused with every field that is missing', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  const report = (type: string, details: unknown) => perform(logAnomaly, { ...board, actor: coder }, { task: 'task-1', type, details })

  await assert.rejects(report('retry_loop', {}), { message: /: count takes a whole number above 0; error_pattern is missing/ })
  await assert.rejects(report('trade_off', { what: 'x' }), { message: /: why is missing.*; debt_created takes true, false or what it is/ })
  await assert.rejects(report('retry_loop', { count: 'often', error_pattern: 404 }), { message: /: count takes a whole number above 0$/ })
  await assert.rejects(report('external_blocker', {}), { code: 'bad_input', message: /blocker_service/ })
  await assert.rejects(report('assumption_violated', { assumption: 'a' }), { code: 'bad_input', message: /reality/ })
  await assert.rejects(report('system_ambiguity', {}), { code: 'bad_input', message: /protocol_section .*question / })
  await assert.rejects(report('vibes', {}), { code: 'bad_input', message: /expected one of retry_loop, / })
  await report('retry_loop', { count: 3, error_pattern: 'ENOENT', root_cause_hypothesis: 'a typo' })

  const { anomalies } = await boardState(board)
  assert.deepEqual(
    anomalies.map((anomaly) => ({ ...anomaly, timestamp: '' })),
    [
      {
        timestamp: '',
        task: 'task-1',
        reporter: 'coder-1',
        type: 'retry_loop',
        details: { count: 3, error_pattern: 'ENOENT', root_cause_hypothesis: 'a typo' },
      },
    ],
  )
})

test('[B47] what the machine logs once stands among the rest in the order it happened', async (t) => {
  const board = await testBoard(t)
  const log = async (section: string) =>
    perform(logAnomaly, { ...board, actor: ann }, { type: 'system_ambiguity', details: { protocol_section: section, question: 'Which?' } })
  const seen = { kind: 'anomaly', task: null, reporter: 'supervisor', type: 'spec_changed', details: {} } as const

  await log('before')
  await untilLater(board.driver)
  await board.driver.transaction((tx) => addOnce(tx, board.board_id, 'seen/spec_changed', seen))
  await untilLater(board.driver)
  await log('after')

  const { anomalies } = await boardState(board)
  assert.match(JSON.stringify(anomalies), /"before".*"spec_changed".*"after"/)
})

test('[B48] a discovery is written down by anyone and settled by the planner or the human', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  const found = await perform(
    logDiscovery,
    { ...board, actor: coder },
    { task: 'task-1', description: 'Orders leak too', urgency: 'immediate' },
  )

  await assert.rejects(perform(settleDiscovery, { ...board, actor: coder }, { discovery: found.id, reject: 'no' }), { code: 'forbidden' })
  await perform(addTask, { ...board, actor: ann }, { description: 'Plug orders' })
  const settled = await perform(settleDiscovery, { ...board, actor: ann }, { discovery: found.id, task: 'task-2' })

  assert.deepEqual([found.severity, settled.converted_to_task], ['medium', 'task-2'])
})

test('[B48] a goal is not reached over an immediate discovery that nobody has settled', async (t) => {
  const board = await readyBoard(t)
  const found = await perform(
    logDiscovery,
    { ...board, actor: ann },
    { task: 'task-1', description: 'The clock is wrong', urgency: 'immediate' },
  )
  await perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', reason: 'Not needed', root_cause: 'The spec dropped it' })
  const goal = async () => (await boardOf(board)).goal.status

  await completeWhenReached(board.driver, board.board_id)
  const before = await goal()
  await perform(settleDiscovery, { ...board, actor: ann }, { discovery: found.id, reject: 'It is right since Monday' })
  await completeWhenReached(board.driver, board.board_id)

  assert.deepEqual([before, await goal()], ['IN_PROGRESS', 'COMPLETED'])
})

test('[B49] notes, spec changes, handoffs and checkpoints are kept with who said them and stand in the state', async (t) => {
  const { board, coder } = await claimedBoard(t)

  await perform(addHumanNote, { ...board, actor: ann }, { task: 'task-1', message: 'Mind the names' })
  await perform(recordSpecChange, { ...board, actor: ann }, { spec: 'spec.md#users', change: 'sorted by name', triggered_by: 'task-1' })
  await addCheckpoint(board, coder, 'task-1', { intent: 'list users', validation: 'npm test' })
  await assert.rejects(handOver(board, coder, { task: 'task-1', summary: '', next_action: 'go on' }), {
    code: 'bad_input',
    message: /summary/,
  })
  await handOver(board, coder, { task: 'task-1', summary: 'half', next_action: 'rest' })

  const state = await boardState(board)
  assert.deepEqual(
    [each(state.human_notes, 'by'), each(state.spec_changes, 'by'), Object.keys(state.handoff)],
    [['ann'], ['ann'], ['task-1']],
  )
  assert.deepEqual(
    (await board.task('task-1')).history.map(({ event }) => event),
    ['created', 'finalized', 'plan_approved', 'claimed', 'pre_execution_checkpoint', 'handoff'],
  )
})

test('[B49] a change of a spec that is no file of the project is not written down', async (t) => {
  const board = await testBoard(t)
  const say = (spec: string) => perform(recordSpecChange, { ...board, actor: ann }, { spec, change: 'sorted', triggered_by: 'ann' })

  await assert.rejects(say('specs/none.md'), { code: 'bad_input', message: /specs\/none\.md is not a file of this project/ })
  await assert.rejects(say('../../etc/passwd'), { code: 'denied' })

  assert.deepEqual((await boardState(board)).spec_changes, [])
})

test('[B50] pause, checkpoint, resume and abort hold for the whole board, and a checkpoint ends with a decision on record', async (t) => {
  const board = await testBoard(t)

  await assert.rejects(perform(resumeBoard, { ...board, actor: ann }, { decision: '' }), {
    code: 'move_refused',
    message: /nothing to resume/,
  })
  const paused = await perform(pauseBoard, { ...board, actor: ann }, { message: 'lunch' })
  await perform(resumeBoard, { ...board, actor: ann }, { decision: '' })
  const stopped = await stopForLook(board, 'ann', 'look')
  await assert.rejects(perform(resumeBoard, { ...board, actor: ann }, { decision: ' ' }), {
    code: 'bad_input',
    message: /goes into the retrospective/,
  })
  const resumed = await perform(resumeBoard, { ...board, actor: ann }, { decision: 'CONTINUE: all is well' })
  const aborted = await perform(abortBoard, { ...board, actor: ann }, { message: 'no more money' })
  await assert.rejects(perform(resumeBoard, { ...board, actor: ann }, { decision: 'again' }), { code: 'move_refused' })

  assert.deepEqual([paused.signal?.name, stopped.signal?.name, stopped.sprint.status], ['PAUSE', 'CHECKPOINT', 'CHECKPOINT'])
  assert.deepEqual([resumed.sprint.status, aborted.goal.status, aborted.sprint.status], ['IN_PROGRESS', 'ABORTED', 'ABORTED'])
  assert.match(JSON.stringify(resumed.sprint.retrospective), /CONTINUE: all is well/)
})

test('[B50] a pause does not take the place of a checkpoint or an abort, which would be over without a decision or not at all', async (t) => {
  const board = await testBoard(t)
  await stopForLook(board, 'ann', 'look')

  await assert.rejects(perform(pauseBoard, { ...board, actor: ann }, {}), {
    code: 'move_refused',
    next: [{ operation: 'board.resume', input: { decision: 'DECISION' } }],
  })
  const resumed = await perform(resumeBoard, { ...board, actor: ann }, { decision: 'go on' })
  await perform(abortBoard, { ...board, actor: ann }, {})
  await assert.rejects(perform(pauseBoard, { ...board, actor: ann }, {}), {
    code: 'move_refused',
    next: [beginGoalStep],
  })
  const coder = await board.agent('coder-1')
  await assert.rejects(claimWithWorktree(board, coder), {
    code: 'needs_person',
    next: [{ operation: 'board.init', input: { goal: 'GOAL', spec_ref: 'SPEC_FILE' } }],
  })

  assert.equal(resumed.sprint.status, 'IN_PROGRESS')
})

test('[B50] a goal that is over is neither paused, stopped for a look, resumed nor aborted', async (t) => {
  const board = await readyBoard(t)
  await perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', reason: 'Not needed', root_cause: 'The spec dropped it' })
  await completeWhenReached(board.driver, board.board_id)
  const over = await boardOf(board)

  for (const decide of [pauseBoard, checkpointBoard, resumeBoard, abortBoard])
    await assert.rejects(perform<typeof board, ZodObject, ZodType>(decide, board, {}), { code: 'move_refused', next: [beginGoalStep] })

  assert.deepEqual([over.goal.status, await boardOf(board)], ['COMPLETED', over])
})
