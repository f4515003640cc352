import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { until } from '../../../sandbox/test-until.ts'
import type { Driver } from '../../../store/driver.ts'
import { approvedBoard } from '../../test-board.ts'
import { createMerger } from './upkeep.ts'

test('[B174] a merger that is stopped has made its last look for more to merge', async (t) => {
  const { board } = await approvedBoard(t)
  const gate = Promise.withResolvers<void>()
  let looks = 0
  const query: Driver['query'] = async (sql, params) => {
    if (sql.includes('"tasks"') && params?.includes('APPROVED') === true && ++looks === 2) await gate.promise
    return board.driver.query(sql, params)
  }
  const merger = createMerger({ board: { ...board, driver: { ...board.driver, query } }, say: assert.fail })
  let stopped = false

  await merger.mergeApproved()
  await until(() => looks === 2)
  const stopping = merger.stop().then(() => (stopped = true))
  await setImmediate() // whatever waits for nothing has come to its end
  const before = stopped
  gate.resolve()
  await stopping

  assert.deepEqual([before, (await board.task('task-1')).status], [false, 'MERGED'])
})
