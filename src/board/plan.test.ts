import { lastEvent } from '../domain/board/event.ts'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { perform } from '../domain/operation.ts'
import type { BoardConfig } from '../domain/board/board.ts'
import { gateFaults } from '../domain/board/task-gates.ts'
import { assertNone } from '../sandbox/test-none.ts'
import { openTestStore } from '../store/test-store.ts'
import { branchHead } from '../worktrees/branch.ts'
import { fileAt, makeTestRepository } from '../worktrees/test-repository.ts'
import { gitText } from '../worktrees/repository.ts'
import { readActivity } from './activity.ts'
import { addTask, editTask } from './task/add.ts'
import { blockTask } from './task/block.ts'
import { claimWithWorktree } from './task/claim.ts'
import { finalizeTask } from './task/finalize.ts'
import { boardOf } from './find.ts'
import { beginGoal, initBoard } from './goal/init.ts'
import { mergeWork } from './task/merge.ts'
import { recordsOf } from './records.ts'
import { abandonTask, supersedeTask } from './task/supersede.ts'
import { completeWhenReached } from './team/upkeep/complete-goal.ts'
import { ann, claimedBoard, readyBoard, testBoard } from './test-board.ts'

const plan = { description: 'List the users', spec_ref: 'spec.md', done_when: 'GET /users returns 200 with a list', scope: 'IN: it' }
const why = { reason: 'It is two things', root_cause: 'Listing and paging were mixed' }

const judged = (done_when: string) => gateFaults({ ...plan, kind: 'code', done_when }).map(({ gate }) => gate)

test('[B37] a task leaves DRAFT only with spec, falsifiable done_when and scope, and a refusal names every gate with an example', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { description: 'Something' })

  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1' }), {
    code: 'bad_input',
    message: /^task-1 stays DRAFT\. spec_ref: .*for example: specs\/api\.md#pagination.* done_when: .*for example: GET .* scope: /,
  })
  await perform(editTask, { ...board, actor: ann }, { task: 'task-1', ...plan })
  const finalized = await perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1' })

  assert.deepEqual([finalized.status, finalized.history.map(({ event }) => event)], ['UNCLAIMED', ['created', 'edited', 'finalized']])
})

test('[B38] a done_when that could never be proven wrong is refused with the phrase that makes it so', () => {
  const vague = [
    'The feature works correctly',
    'Rate limiting is handled appropriately',
    'Errors are handled gracefully.',
    'handles errors properly',
    'The code is clean',
    'It is user-friendly',
    'The page loads fast enough',
    'Everything works',
    'The migration is done',
    'Performance improved',
    'The parser behaves correctly',
    'Works as expected',
  ]
  const sharp = [
    '429 responses trigger exponential backoff starting at 1s',
    'GET /users returns 200 with JSON array containing user objects',
    '`npm test` exits with 0',
    'README.md describes how to install',
    'The list shows at most 50 users',
    'An unknown option is refused with exit code 42',
  ]

  assertNone(vague, (text) => judged(text).length === 0)
  assertNone(sharp, (text) => judged(text).length > 0)
})

test('[B39] a task of tests alone is refused; tasks without code are exempt and marked', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { ...plan, description: 'Add unit tests for the list' })
  await perform(addTask, { ...board, actor: ann }, { ...plan, description: 'Write tests' })
  await perform(addTask, { ...board, actor: ann }, { ...plan, description: 'Add test coverage to the README', kind: 'doc' })

  for (const id of ['task-1', 'task-2'])
    await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: id }), {
      code: 'bad_input',
      message: /tests belong to the task whose code they prove/,
    })
  const doc = await perform(finalizeTask, { ...board, actor: ann }, { task: 'task-3' })

  assert.equal(lastEvent(doc.history, 'finalized')?.kind, 'doc')
  assert.match((await readActivity(board.driver, board.board_id)).at(-1)?.detail ?? '', /doc only, no tests required/)
})

test('[B40] a spec has to be a file inside the project, unless that is waived on purpose, which is logged', async (t) => {
  const board = await testBoard(t)
  for (const spec_ref of ['no.md', '../outside.md', '/etc/passwd']) await perform(addTask, { ...board, actor: ann }, { ...plan, spec_ref })

  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1' }), {
    code: 'bad_input',
    message: /no\.md is not a file of this project/,
  })
  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'task-2' }), {
    code: 'denied',
    message: /outside the workspace/,
  })
  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'task-3' }), { code: 'denied' })
  const waived = await perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1', skip_spec_file_check: true })

  assert.deepEqual([waived.status, waived.spec_file_unchecked, waived.spec_hash], ['UNCLAIMED', true, null])
  assert.match((await readActivity(board.driver, board.board_id)).at(-1)?.detail ?? '', /without its spec file, on request/)
})

test('[B41] dependencies exist and never lead in a circle', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, plan)
  await perform(addTask, { ...board, actor: ann }, { ...plan, depends_on: ['task-1'] })
  await perform(addTask, { ...board, actor: ann }, { ...plan, depends_on: ['task-2', 'task-2'] })

  await assert.rejects(perform(addTask, { ...board, actor: ann }, { ...plan, depends_on: ['task-9'] }), {
    code: 'not_found',
    message: /no task "task-9"/,
  })
  await assert.rejects(perform(editTask, { ...board, actor: ann }, { task: 'task-1', depends_on: ['task-3'] }), {
    code: 'bad_input',
    message: 'dependencies must not lead in a circle: task-1 → task-3 → task-2 → task-1',
  })
  await assert.rejects(perform(editTask, { ...board, actor: ann }, { task: 'task-1', depends_on: ['task-1'] }), {
    code: 'bad_input',
    message: /depend on itself/,
  })
  assert.deepEqual([(await board.task('task-3')).depends_on, (await board.task('task-1')).dependents], [['task-2'], ['task-2']])
})

test('[B42] an id that could mean something to a shell or a path is refused', async (t) => {
  const board = await testBoard(t)

  for (const id of ['../up', 'a b', 'x;rm', '$(id)', 'Task', '-x', '', 'a/b', 'a'.repeat(64)]) {
    await assert.rejects(perform(addTask, { ...board, actor: ann }, { ...plan, id }), { code: 'bad_input' }, id)
  }
  await perform(addTask, { ...board, actor: ann }, { ...plan, id: 'list-users' })

  await assert.rejects(perform(addTask, { ...board, actor: ann }, { ...plan, id: 'list-users' }), {
    code: 'conflict',
    message: /there is a task list-users/,
  })
})

test('[B43] a superseded task keeps its story: replacements, reason, root cause, and what waited for it waits for them', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  await board.ready({ depends_on: ['task-1'] })
  await claimWithWorktree(board, coder)
  await board.work('task-1', 'half.txt', 'half')
  await blockTask(board, coder, 'task-1', { blocked_reason: 'It is really two tasks', blocked_questions: ['Which first?'] })

  const { task, replacements } = await perform(
    supersedeTask,
    { ...board, actor: ann },
    { task: 'task-1', ...why, replacements: [plan, { ...plan, description: 'Page the users' }] },
  )

  const waiting = await board.task('task-2')
  const alignment = await recordsOf(board, 'alignment', 'task-1')
  const ids = replacements.map(({ id }) => id)
  assert.deepEqual(
    [task.status, task.superseded_by, replacements.map(({ supersedes }) => supersedes)],
    ['SUPERSEDED', ids, ['task-1', 'task-1']],
  )
  assert.match(task.rescope_reason ?? '', /two things Root cause: Listing and paging were mixed/)
  assert.deepEqual([waiting.depends_on, waiting.unmet, waiting.history.at(-1)?.event], [ids, 2, 'dependency_retargeted'])
  assert.deepEqual(new Set(alignment.map(({ event }) => event)), new Set(['planning', 'rescope_task-1']))
  assert.equal(existsSync(`${board.repository.root}/.troupe/worktrees/task-1`), false)
  assert.equal(await fileAt(board.repository.root, `refs/troupe/${board.board_id}/task-1/closed`, 'half.txt'), 'half')
})

test('[B44] a task that others wait for is not abandoned', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ depends_on: ['task-1'] })

  await assert.rejects(perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', ...why }), {
    code: 'conflict',
    message: /task-2 wait for task-1/,
  })
  await perform(abandonTask, { ...board, actor: ann }, { task: 'task-2', ...why })

  assert.equal((await perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', ...why })).status, 'ABANDONED')
})

test('[B45] the goal is complete when no task is left that could move, and not before', async (t) => {
  const board = await testBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  const completed = async () => {
    await completeWhenReached(board.driver, board.board_id)
    return boardOf(board)
  }
  const none = await completed()
  await board.ready()
  await board.submitted(coder, 'task-1')
  await board.approved(reviewer, 'task-1')
  const approved = await completed()
  await mergeWork(board, reviewer, 'task-1')

  const done = await completed()

  assert.deepEqual(
    [none.goal.status, approved.goal.status, done.goal.status, done.sprint.status],
    ['IN_PROGRESS', 'IN_PROGRESS', 'COMPLETED', 'COMPLETED'],
  )
  await beginGoal(board.driver, board.repository, { goal: 'Next' }, 'ann')
})

test('[B46] a project has one goal at a time, and the user’s git status shows nothing of the board', async (t) => {
  const { board } = await claimedBoard(t)

  await assert.rejects(beginGoal(board.driver, board.repository, { goal: 'Another' }, 'ann'), {
    code: 'conflict',
    message: /is at a goal already/,
  })
  const folder = { driver: board.driver, folder: board.repository.root, actor: ann }
  await assert.rejects(perform(initBoard, folder, { goal: ' ' }), { code: 'bad_input' })

  assert.equal(await gitText(board.repository.root, ['status', '--porcelain']), '')
})

test('[B46] a goal that cannot be begun leaves no board behind, so that the next try is not refused', async (t) => {
  const [driver, repository] = [await openTestStore(t), await makeTestRepository(t, { 'spec.md': '# Users\n' })]
  await gitText(repository.root, ['branch', 'taken'])
  const begin = (config: Partial<BoardConfig>) =>
    beginGoal(driver, repository, { goal: 'List the users', spec_ref: 'spec.md', config }, 'ann')

  await assert.rejects(begin({ integration_branch: 'a b' }), { code: 'bad_input', message: /not a branch name/ })
  await assert.rejects(begin({ integration_branch: 'taken/below' }), { code: 'conflict', message: /taken/ })
  const { goal, config } = await begin({})

  assert.deepEqual([goal.status, config.integration_branch], ['IN_PROGRESS', 'integration'])
  assert.notEqual(await branchHead(repository, 'integration'), null)
})
