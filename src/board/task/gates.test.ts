import { lastEvent } from '../../domain/board/event.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { gateFaults } from '../../domain/board/task-gates.ts'
import { assertNone } from '../../sandbox/test-none.ts'
import { readActivity } from '../activity.ts'
import { addTask } from './add.ts'
import { approvePlan } from './approve-plan.ts'
import { blockTask } from './block.ts'
import { claimWithWorktree } from './claim.ts'
import { finalizeTask } from './finalize.ts'
import { logAnomaly } from '../view/report.ts'
import { ann, testBoard } from '../test-board.ts'
import { unblockTask } from './unblock.ts'

const plan = { description: 'List users', kind: 'code', spec_ref: 'spec.md', done_when: 'a.txt lists 2 users', scope: 'IN: it' } as const

test('[B38] a done_when is refused for being vague, and not for being short or in another language', () => {
  const falsifiable = [
    'Pressing Escape closes the dialog',
    'The heading is red',
    'Login fails on a wrong password',
    'Client retries on 429 with exponential backoff',
    'Users can log out',
    'No warning on startup',
    'Die Überschrift ist rot',
    'Escape schließt den Dialog',
    'El botón cierra la ventana',
    'ヘッダーは赤い',
    '空のリストは「なし」と表示される',
    '点击按钮后对话框关闭',
    'Кнопка закрывает окно',
  ]
  const vague = [
    'works correctly',
    'handles errors properly',
    'Rate limiting is handled appropriately',
    'The page is nice',
    'It looks good',
    'The code is good',
    'Users are happy',
    'The API is secure and reliable',
    'Done',
    'TBD',
    '...',
    'Es funktioniert richtig',
    'Fehler werden angemessen behandelt',
    '正しく動作する',
  ]

  assertNone(falsifiable, (done_when) => gateFaults({ ...plan, done_when }).length > 0)
  assertNone(vague, (done_when) => gateFaults({ ...plan, done_when }).length === 0)
})

test('[B39] a task of tests alone is known by what it asks for, and building something about tests is not one', () => {
  const alone = [
    'Test the pagination',
    'Verify login by means of pytest',
    'Create spec files for login.ts',
    'Add tests for the list',
    'Write a unit test for the parser',
    'Increase coverage of the parser',
    'Cover the parser with tests',
    'Unit-test the parser',
  ]
  const work = [
    'Build the test runner command',
    'Create the test runner command',
    'Implement a test harness for plugins',
    'Add a tests tab to the page',
    'Test runner prints the failures',
    'Page GET /users by 50, with tests of the first and the last page',
    'Add paging with tests',
    'Verify the signature of webhooks',
    'Check that the password is long enough',
    'Add a page that shows test results',
  ]

  assertNone(alone, (description) => !asksForTests(description))
  assertNone(work, asksForTests)
})

test('[B206] a person lets a task pass a gate with a reason, which is logged and holds for those words; an agent may not', async (t) => {
  const board = await testBoard(t)
  const [planner, coder] = [await board.agent('planner-1'), await board.agent('coder-1')]
  await perform(addTask, { ...board, actor: ann }, { ...plan, done_when: 'The page is nice' })
  const override = { override: 'Ann judges it on the screen' }

  await assert.rejects(perform(finalizeTask, { ...board, actor: planner }, { task: 'task-1', ...override }), { code: 'forbidden' })
  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1', override: ' ' }), { code: 'bad_input' })
  await perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1', ...override })
  await perform(approvePlan, { ...board, actor: { human: 'ann' } }, { tasks: ['task-1'] })
  await claimWithWorktree(board, coder)
  await blockTask(board, coder, 'task-1', { blocked_reason: 'Nobody says what is nice', blocked_questions: ['Which colour?'] })
  const unblocked = await unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'Red.' })

  assert.equal(unblocked.status, 'UNCLAIMED')
  const { history } = unblocked
  assert.equal(lastEvent(history, 'finalized')?.override, 'Ann judges it on the screen')
  const lines = await readActivity(board.driver, board.board_id)
  assert.ok(lines.some(({ action, detail }) => action === 'gate_override' && detail.includes('Ann judges it on the screen')))
  assert.deepEqual(
    gateFaults({ ...unblocked, done_when: 'The page is pretty' }).map(({ gate }) => gate),
    ['done_when'],
  )
})

test('[B206] what is missing altogether is not let pass', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { ...plan, done_when: null, scope: null })

  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'task-1', override: 'It is urgent' }), { code: 'bad_input' })
})

test('[B47] an anomaly of any type says something', async (t) => {
  const board = await testBoard(t)
  const types = ['scope_deviation', 'workaround', 'debt_created', 'spec_changed', 'spec_gap', 'spec_ambiguity']

  for (const type of types) {
    await assert.rejects(perform(logAnomaly, { ...board, actor: ann }, { type, details: {} }), { code: 'bad_input' })
    await assert.rejects(perform(logAnomaly, { ...board, actor: ann }, { type, details: { what: ' ' } }), { code: 'bad_input' })
    await perform(logAnomaly, { ...board, actor: ann }, { type, details: { what: 'The page size is not given' } })
  }
})

function asksForTests(description: string): boolean {
  return gateFaults({ ...plan, description }).some(({ gate }) => gate === 'tests')
}
