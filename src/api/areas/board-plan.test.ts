import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ann } from '../../board/test-board.ts'
import { perform as performHere } from '../../domain/operation.ts'
import { resumeBoard, stopForLook } from '../../board/goal/control.ts'
import { mergeWork } from '../../board/task/merge.ts'
import { each, rowsOf } from '../../domain/test-each.ts'
import { commitFiles } from '../../worktrees/test-repository.ts'
import { takeInBase } from '../../board/goal/take-in.ts'
import { commitSpec } from '../../board/test-board.ts'
import { blocked, openBoard } from './test-board.ts'

const whole = { description: 'List them', spec_ref: 'spec.md', done_when: 'a.txt lists 2 users', scope: 'IN: the list' }

test('[B153] a task is written, said anew and finalized over the API, and a refusal names the field it is about', async (t) => {
  const { read, perform } = await openBoard(t)

  const added = await perform('add_task', {
    id: 'one',
    description: 'List them',
    done_when: 'it works well',
    sprint: 'stretch',
    max_iterations: 3,
  })
  const gates = await perform('finalize_task', { task: 'one' })
  const circle = await perform('edit_task', { task: 'one', ...whole, depends_on: ['one'] })
  const twice = await perform('add_task', { id: 'one', description: 'Again' })
  const shell = await perform('add_task', { id: '../one', description: 'Again' })
  const edited = await perform('edit_task', { task: 'one', ...whole, spec_ref: 'gone.md' })
  const missing = await perform('finalize_task', { task: 'one' })
  const waived = await perform('finalize_task', { task: 'one', skip_spec_file_check: true })
  const late = await perform('edit_task', { task: 'one', ...whole })

  assert.deepEqual(each([added, edited, waived], 'status'), [200, 200, 200])
  assert.deepEqual(each(gates.body.error.details.faults, 'gate'), ['spec_ref', 'done_when', 'scope'])
  assert.deepEqual([circle.body.error.details.field, twice.body.error.details.field], ['depends_on', 'id'])
  assert.deepEqual(shell.body.error.details.issues[0].path, 'id')
  assert.match(missing.text, /gone\.md is not a file of this project/)
  assert.match(late.text, /only a DRAFT can be edited/)
  const { task } = await read('get_task', { task: 'one' })
  assert.deepEqual([task.status, task.sprint, task.spec_file_unchecked, task.history.at(-1).agent], ['UNCLAIMED', 'stretch', true, 'user'])
  assert.deepEqual([task.scope, task.max_iterations], ['IN: the list', 3])
})

test('[B154] a task is replaced over the API whole or not at all, and a refusal names the replacement', async (t) => {
  const { board, read, perform } = await openBoard(t)
  await blocked(board, 'one')
  const said = { task: 'one', reason: 'It is two things.', root_cause: 'It was cut too large.' }
  const [half, other] = [
    { ...whole, id: 'one-a' },
    { ...whole, id: 'one-b', done_when: 'b.txt lists 1 user' },
  ]

  const vague = await perform('supersede_task', { ...said, replacements: [half, { ...other, done_when: 'it works' }] })
  const before = (await read('get_task', { task: 'one' })).task.status
  const split = await perform('supersede_task', { ...said, replacements: [half, other] })

  assert.deepEqual([vague.status, vague.body.error.details.task, before], [400, 'one-b', 'BLOCKED'])
  assert.equal(split.status, 200)
  const task = await board.task('one')
  assert.deepEqual([task.status, task.superseded_by], ['SUPERSEDED', ['one-a', 'one-b']])
  assert.deepEqual([(await board.task('one-b')).status, (await board.task('one-b')).supersedes], ['UNCLAIMED', 'one'])
})

test('[B155] the alarms of a board are told over the API, and are gone with their cause', async (t) => {
  const { board, read } = await openBoard(t)
  await blocked(board, 'one')

  const before = await read('list_alarms')
  await read('unblock_task', { task: 'one', answer: 'By name' })
  const after = await read('list_alarms')

  assert.deepEqual(rowsOf(before.alarms, 'alarm', 'task'), [['BLOCKED', 'one']])
  assert.deepEqual(after, { alarms: [], count: 0 })
})

test('[B156] a task tells how its spec changed since it was finalized', async (t) => {
  const { board, read } = await openBoard(t)
  await board.ready({ id: 'one' })
  const before = (await read('get_task', { task: 'one' })).spec_delta

  await commitSpec(board, '# Users\n\nList them by name.\n\n# Orders\n\nCount them.\n')
  await takeInBase(board)

  assert.equal(before, null)
  assert.match((await read('get_task', { task: 'one' })).spec_delta, /^-List them\.\n\+List them by name\.$/m)
})

test('[B171] settings are changed over the API: the rest stays, the log says what they were, and what does not fit changes nothing', async (t) => {
  const { read, perform: order } = await openBoard(t, { max_review_cycles: 7 })

  const changed = await order('configure', { integration_test: 'npm test', lease_duration: 600, auto_approve: false })
  const refused = [await order('configure', { lease_duration: 'soon' }), await order('configure', { integration_branch: 'main' })]
  await read('abort')
  const late = await order('configure', { lease_duration: 1 })
  const shown = await read('configure')

  assert.deepEqual([changed.status, ...refused.map(({ status }) => status), late.status], [200, 400, 400, 409])
  const { config } = await read('view')
  assert.deepEqual([config.integration_test, config.lease_duration, config.max_review_cycles], ['npm test', 600, 7])
  assert.deepEqual(shown, config)
  const { lines } = await read('list_activity')
  assert.match(JSON.stringify(lines), /lease_duration: 600 \(was 300\), integration_test: npm test \(was none\)/)
})

test('[B157, B158] the report of a sprint is counted from the record, and a retrospective keeps what a person makes of it', async (t) => {
  const { board, read, perform: order } = await openBoard(t)
  await board.ready({ id: 'done' })
  await board.submitted(await board.agent('coder-2'), 'done')
  const reviewer = await board.agent('code-reviewer-1')
  await board.approved(reviewer, 'done')
  await mergeWork(board, reviewer, 'done')
  await blocked(board, 'one')
  await stopForLook(board, 'ann', 'Halfway')
  const stopped = (await read('view_report')).text
  await performHere(resumeBoard, { ...board, actor: ann }, { decision: 'Go on as planned' })

  const silent = await order('add_retrospective', { notes: '  ' })
  const kept = await order('add_retrospective', { notes: 'Too many questions', spec_gaps: ['The order'], actions: ['Write it down'] })

  assert.match(
    stopped,
    /Planned: 1 of 2 done; stretch: 0 of 0[^]*## Merged\n\n- done[^]*one: The order of the list is not said\. By name or by id\?/,
  )
  assert.match(stopped, /CHECKPOINT by ann since .*: Halfway[^]*Resume the board with your decision/)
  assert.match((await read('view_report')).text, /ann: Go on as planned/)
  assert.deepEqual([silent.status, kept.status], [400, 200])
  const { retrospective } = (await read('view')).sprint
  assert.deepEqual(
    [retrospective.decisions[0].decision, retrospective.records[0].by, retrospective.records[0].metrics.tasks_done],
    ['Go on as planned', 'user', 1],
  )
})

test('[B220] [B224] a board tells over the API how far it is behind its base branch, and takes it in on request', async (t) => {
  const { board, read } = await openBoard(t)
  await commitFiles(board.repository.root, { 'main.txt': 'new\n' }, 'Go on')

  const behind = (await read('view')).base
  const synced = await read('sync')

  assert.deepEqual(
    [behind, synced.outcome, synced.commits],
    [{ base_branch: 'main', integration_branch: 'integration', behind: 1, ahead: 0 }, 'taken_in', 1],
  )
  assert.deepEqual((await read('view')).base.behind, 0)
})
