import assert from 'node:assert/strict'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { perform } from '../../domain/operation.ts'
import { log } from '../../store/log.ts'
import { addTask } from '../task/add.ts'
import { readActivity } from '../activity.ts'
import { leaveBoard } from '../agent/register.ts'
import { keepProjection, writeProjection } from './projection.ts'
import { boardState } from './state.ts'
import { until } from '../../sandbox/test-until.ts'
import { ann, testBoard, type TestBoard } from '../test-board.ts'

test('[B54] what processes do in turn and at once is all in the files, which say what the store says', async (t) => {
  const board = await testBoard(t)
  const stops = [keepProjection(board), keepProjection(board), keepProjection(board)]

  await Promise.all([1, 2, 3, 4, 5].map((priority) => board.ready({ priority })))
  await until(async () => (await textOf(board)).includes('id: task-5'))
  const coder = await board.agent('coder-1')
  await board.submitted(coder, 'task-1')
  await leaveBoard(board, coder, 'done')
  await Promise.all(stops.map((stop) => stop()))

  assert.deepEqual(parse(await textOf(board)), JSON.parse(JSON.stringify(await boardState(board))))
  const lines: unknown[] = parse(await textOf(board, 'log.yaml'))
  assert.equal(lines.length, (await readActivity(board.driver, board.board_id)).length)
  assert.deepEqual((await readdir(join(board.repository.root, '.troupe'))).toSorted(), [
    '.gitignore',
    'log.yaml',
    'state.yaml',
    'worktrees',
  ])
})

test('[S31] half-written copies that a killed process left are removed, and one that is being written stays', async (t) => {
  const board = await testBoard(t)
  await writeProjection(board)
  const folder = join(board.repository.root, '.troupe')
  const [left, fresh] = ['state.yaml.6b1b36cb-6b1b-4b1b-8b1b-6b1b36cb36cb.tmp', 'log.yaml.6b1b36cb-6b1b-4b1b-8b1b-6b1b36cb36cb.tmp']
  for (const name of [left, fresh]) await writeFile(join(folder, name), 'half')
  await utimes(join(folder, left), 0, 0)

  await writeProjection(board)

  const names = await readdir(folder)
  assert.deepEqual([names.includes(left), names.includes(fresh)], [false, true])
})

test('[B54] nobody writes over what another process has brought further, nor over the files of a newer board', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { description: 'Here' })
  const last = await log.last(board.driver)
  const further = heading(board.board_id, last)
  const newer = heading(`${board.board_id}z`, 1)
  const foreign = heading(board.board_id, last + 1_000)

  const kept: string[] = []
  for (const there of [further, newer, foreign]) {
    await writeFile(join(board.repository.root, '.troupe/state.yaml'), there)
    await writeProjection(board)
    kept.push(await textOf(board))
  }

  assert.deepEqual(kept.slice(0, 2), [further, newer])
  assert.match(kept[2] ?? '', /description: Here/) // from a store that is gone: no line of this one has that number
})

function heading(id: string, line: number): string {
  return `# A copy of ${id} made by Troupe up to line ${line} of its log\n`
}

function textOf({ repository }: TestBoard, name = 'state.yaml'): Promise<string> {
  return readFile(join(repository.root, '.troupe', name), 'utf8').catch(() => '')
}
