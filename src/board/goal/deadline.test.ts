import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { until } from '../../sandbox/test-until.ts'
import { boards } from '../../store/tables.ts'
import { readActivity } from '../activity.ts'
import { resumeBoard } from './control.ts'
import { keepDeadline, startBoardUpkeep } from '../team/upkeep/upkeep.ts'
import { boardOf } from '../find.ts'
import { testStation } from '../team/test-team.ts'
import { ann, testBoard, type TestBoard } from '../test-board.ts'

test('[B168] a sprint whose deadline has passed is stopped for a look once, with a report, and goes on after it', async (t) => {
  const board = await testBoard(t)
  await setDeadline(board, 3_600_000)
  await keepDeadline(board)
  const early = (await boardOf(board)).signal
  await setDeadline(board, -1_000)

  const clerk = startBoardUpkeep(await testStation(t, board, {}), { completesGoal: false })
  await until(async () => (await boardOf(board)).signal !== null)
  await clerk.stop()
  const { signal, sprint } = await boardOf(board)
  await perform(resumeBoard, { ...board, actor: ann }, { decision: 'one more day' })
  await keepDeadline(board)

  assert.deepEqual([early, signal?.name, sprint.status, (await boardOf(board)).signal], [null, 'CHECKPOINT', 'CHECKPOINT', null])
  assert.match(signal?.message ?? '', /the deadline .* has passed/)
  const reports = join(board.repository.root, '.troupe/reports')
  assert.deepEqual([existsSync(reports) && (await readdir(reports)).length, await checkpointsOf(board)], [1, 1])
})

async function setDeadline({ driver, board_id }: TestBoard, inMs: number): Promise<void> {
  const was = await boards.get(driver, board_id)
  const deadline = new Date((await driver.now()).getTime() + inMs).toISOString()
  const { sprint } = was.item
  await boards.replace(driver, was, { ...was.item, sprint: { ...sprint, timeline: { ...sprint.timeline, deadline } } })
}

async function checkpointsOf({ driver, board_id }: TestBoard): Promise<number> {
  return (await readActivity(driver, board_id)).filter(({ action }) => action === 'checkpoint').length
}
