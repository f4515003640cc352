import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { addTask } from '../../board/task/add.ts'
import { readActivity } from '../../board/activity.ts'
import { until } from '../../sandbox/test-until.ts'
import { ann, testBoard } from '../../board/test-board.ts'
import { teamProgress } from './progress.ts'

test('[B162] a narrow terminal shows time, cost, tasks and the tool in hand within its width, and what happens above', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { id: 'one', description: 'List them' })
  const run = { thread_id: 'thread', run_id: 'run' }
  const { stream, heard } = aTerminal(24)
  const progress = teamProgress(board, false, stream)
  t.after(progress.stop)

  progress.listener.onRun('coder-1', 'one', { ...run, type: 'tool_use', call_id: 'c', tool: 'execute_command', input: {} })
  await until(() => heard().includes('coder-1  one'))
  progress.tell((await readActivity(board.driver, board.board_id)).slice(-1))
  await until(() => heard().includes('task_added one: List them'))
  progress.stop()

  const drawn = heard().slice(0, heard().indexOf('ann task_added'))
  assert.match(drawn, /^\d+ s · \$0\.00 · DRAFT 1$/m)
  assert.match(drawn, /^coder-1 {2}one {2}execute_…$/m)
  assert.ok(drawn.split('\n').every((line) => line.replaceAll(ESCAPES, '').length < 24))
})

test('[B207] a failure of many lines is told in one, with what failed and the lines it ended with', async (t) => {
  const board = await testBoard(t)
  const { stream, heard } = aTerminal(200)
  const progress = teamProgress(board, false, stream)
  t.after(progress.stop)
  const detail = [
    'restarted: gemini ended with 55: YOLO mode is enabled',
    'a',
    'b',
    'c',
    'This folder is not trusted',
    'Use --skip-trust',
  ].join('\n')

  progress.tell([{ seq: 1, timestamp: new Date(0).toISOString(), agent: 'coder-1', action: 'restarted', task: 'one', detail }])

  assert.match(heard(), /ended with 55: YOLO mode is enabled … This folder is not trusted … Use --skip-trust\n/)
})

// oxlint-disable-next-line no-control-regex -- what moves the cursor is what is left out
const ESCAPES = /\u001B\[\d*[A-Za-z]/g

/** A terminal of a given width, and what was written to it. */
function aTerminal(columns: number) {
  let text = ''
  const stream = new PassThrough().on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { stream: Object.assign(stream, { isTTY: true, columns }) as unknown as NodeJS.WriteStream, heard: () => text } // only these are used
}
