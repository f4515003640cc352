import { lastEvent } from '../../domain/board/event.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dryRun } from '../../store/dry-run.ts'
import { ann } from '../test-board.ts'
import { perform } from '../../domain/operation.ts'
import { boards, tasks } from '../../store/tables.ts'
import { openTestStore } from '../../store/test-store.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { commitOf, findCommit } from '../../worktrees/repository.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { approvePlan } from '../task/approve-plan.ts'
import { abortBoard } from '../goal/control.ts'
import { importState } from './import.ts'
import { boardState } from '../view/state.ts'

const began = '2026-01-17T14:00:00Z'
const lives = { worktree: '.worktrees/two', base_commit: 'abc1234', assigned_to: 'coder-1', lease_expires: began }
const plan = { description: 'List', spec_ref: 'spec.md', done_when: 'users.txt lists 2', scope: 'IN: the list', history: [] }
const state = {
  version: 1,
  goal: { id: 'goal-1', description: 'Users', spec_ref: 'spec.md', created: began, status: 'IN_PROGRESS' },
  tasks: [
    { id: 'one', status: 'UNCLAIMED', ...plan },
    { id: 'two', status: 'CLAIMED', ...plan, ...lives },
  ],
  agents: {},
  config: {},
  sprint: {
    goal_ref: 'goal-1',
    status: 'IN_PROGRESS',
    scope: { planned: ['one'], stretch: ['two'] },
    timeline: { started: began, deadline: '2027-01-01T00:00:00Z' },
    retrospective: { notes: 'Smaller tasks' },
  },
  circuit_breaker: {
    status: 'OK',
    history: [{ timestamp: began, pattern: 'retry_cluster', resolution: 'a new spec', resolved_at: began }],
  },
}

test('[B57] the sprint of an imported board goes on: its scope, its times, its retrospective and what the circuit breaker found', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]

  const { board } = await perform(importState, { driver, folder: repository.root, actor: ann }, { state: state })

  const { sprint, circuit_breaker } = await boardState({ driver, board_id: board.id })
  assert.deepEqual(sprint.scope, { planned: ['one'], stretch: ['two'] })
  assert.deepEqual([sprint.timeline.started, sprint.timeline.deadline], [began, '2027-01-01T00:00:00Z'])
  assert.match(JSON.stringify([sprint.retrospective, circuit_breaker.history]), /Smaller tasks.*retry_cluster.*a new spec/)
})

test('[B57] an imported goal is the same goal: its id, its beginning and the sprint that names it, and on a later board once more', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  const named = { ...state, sprint: { ...state.sprint, id: 'sprint-3' } }

  const { board } = await perform(importState, { driver, folder: repository.root, actor: ann }, { state: named })
  await perform(abortBoard, { driver, board_id: board.id, actor: ann }, {})
  const { board: again } = await perform(importState, { driver, folder: repository.root, actor: ann }, { state: named })

  assert.notEqual(board.id, again.id)
  for (const { goal, sprint } of [board, again])
    assert.deepEqual([goal.id, goal.created, sprint.id, sprint.goal_ref], ['goal-1', began, 'sprint-3', 'goal-1'])
})

test('[B55] the dry run of an import says what the import itself would, and leaves nothing behind', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  const wrong = { ...state, tasks: [{ ...state.tasks[0], priority: 9 }] }
  const bare = { ...wrong, sprint: { ...state.sprint, scope: {} } }

  const tried = await dryRun(driver, (tx) =>
    perform(importState, { driver: tx, folder: repository.root, actor: ann, dry: true }, { state: state }),
  )
  await assert.rejects(
    dryRun(driver, (tx) => perform(importState, { driver: tx, folder: repository.root, actor: ann, dry: true }, { state: bare })),
    { code: 'bad_input', message: /one.*priority/ },
  )

  assert.deepEqual([tried.tasks, tried.returned], [2, ['two']])
  assert.deepEqual([await boards.list(driver), await branchHead(repository, 'integration')], [[], null])
})

test('[B57] what does not pass the gates here is imported as a draft, and an entry with an odd time is refused by its name', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  const [one, two] = state.tasks
  const weak = [
    { ...one, scope: undefined },
    { ...two, done_when: 'it works correctly' },
    { ...one, id: 'three', spec_ref: 'lost.md' },
    { ...one, id: 'four' },
  ]
  const odd = { ...state, anomalies: [{ timestamp: 'yesterday', task: 'one', reporter: 'coder-1', type: 'spec_gap', details: {} }] }

  await assert.rejects(perform(importState, { driver, folder: repository.root, actor: ann }, { state: odd }), {
    code: 'bad_input',
    message: /yesterday.*anomaly/,
  })
  const { board, drafts, returned } = await perform(
    importState,
    { driver, folder: repository.root, actor: ann },
    { state: { ...state, tasks: weak } },
  )

  assert.deepEqual([drafts, returned], [['one', 'two', 'three'], []])
  assert.deepEqual(await perform(approvePlan, { driver, board_id: board.id, actor: { human: 'ann' } }, {}), { approved: ['four'] })
})

test('[B57] a board on which the circuit breaker looked and found nothing is imported with that line', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  const looked = { ...state, circuit_breaker: { status: 'OK', history: [{ timestamp: began, result: 'OK', pattern: null }] } }

  const { board } = await perform(importState, { driver, folder: repository.root, actor: ann }, { state: looked })

  assert.deepEqual((await boardState({ driver, board_id: board.id })).circuit_breaker.history, looked.circuit_breaker.history)
})

test('[B57] what was rejected or waited for review keeps its findings and, where the repository has it, its work', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  const work = await commitOf(repository.root, 'HEAD')
  const [one] = state.tasks
  const left = [
    { ...one, id: 'sent-back', status: 'REJECTED', rejection_reason: 'users.txt is empty', review_commit: work, iteration: 2 },
    { ...one, id: 'waiting', status: 'READY_FOR_REVIEW', review_commit: work },
    { ...one, id: 'lost', status: 'READY_FOR_REVIEW', review_commit: 'b'.repeat(40) },
  ]
  const without = { ...state.sprint, scope: {} }

  const { board } = await perform(
    importState,
    { driver, folder: repository.root, actor: ann },
    { state: { ...state, tasks: left, sprint: without } },
  )

  const kept = await Promise.all(
    ['sent-back', 'waiting', 'lost'].map((id) => findCommit(repository.root, `refs/troupe/${board.id}/${id}/imported`)),
  )
  assert.deepEqual(kept, [work, work, null])
  const imported = await tasks.items(driver, { where: { board_id: board.id }, order: ['number'] })
  assert.deepEqual(
    imported.map(({ rejection_reason, iteration, history }) => [
      rejection_reason,
      iteration,
      lastEvent(history, 'imported')?.review_commit,
    ]),
    [
      ['users.txt is empty', 2, work],
      [null, null, work],
      [null, null, 'b'.repeat(40)],
    ],
  )
})

test('[B233] a history that tells of an event no board knows is refused with its task and place, and nothing is imported', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  const [one, ...rest] = state.tasks
  const odd = { ...state, tasks: [{ ...one, history: [{ time: began, event: 'clamed' }] }, ...rest] }

  await assert.rejects(perform(importState, { driver, folder: repository.root, actor: ann }, { state: odd }), {
    code: 'bad_input',
    message: /one of the document does not fit: history\.0\.event/,
  })

  assert.deepEqual(await boards.list(driver), [])
})
