import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { openTestStore } from '../../store/test-store.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { configureBoard } from './configure.ts'
import { boardOf, findBoard } from '../find.ts'
import { importState } from '../import/import.ts'
import { beginGoal } from './init.ts'
import { boardState } from '../view/state.ts'
import { ann, testBoard } from '../test-board.ts'

test('[B8] a heartbeat too rare for the lease is refused with what would fit, when a board is opened, imported and set', async (t) => {
  const board = await testBoard(t)
  const [driver, elsewhere] = [await openTestStore(t), await makeTestRepository(t, { 'a.txt': 'one\n' })]
  const document = { ...(await boardState(board)), config: { lease_duration: 179 } }
  const set = (changes: object) => perform(configureBoard, { ...board, actor: ann }, { ...changes })

  await assert.rejects(set({ lease_duration: 5 }), {
    code: 'bad_input',
    message: /a heartbeat every 60 s .* of 5 s; a heartbeat_interval of at most 1 or a lease_duration of at least 180 would fit/,
  })
  await assert.rejects(set({ heartbeat_interval: 1000 }), { message: /at most 100 or a lease_duration of at least 3000 would fit/ })
  await assert.rejects(set({ lease_duration: 2 }), { message: /of 2 s; a lease_duration of at least 180 would fit/ })
  await assert.rejects(beginGoal(driver, elsewhere, { goal: 'x', config: { lease_duration: 179 } }, 'ann'), { code: 'bad_input' })
  await assert.rejects(perform(importState, { driver, folder: elsewhere.root, actor: ann }, { state: document }), {
    message: /\[51\] config: a heartbeat every 60 s/,
  })
  const config = await set({ heartbeat_interval: 1, lease_duration: 3 })

  assert.deepEqual([config.heartbeat_interval, config.lease_duration], [1, 3])
  assert.deepEqual((await boardOf(board)).config, config)
  assert.equal(await findBoard(driver, elsewhere.root), null)
})

test('[B171] a setting that nothing would read is refused', async (t) => {
  const board = await testBoard(t)

  await assert.rejects(perform(configureBoard, { ...board, actor: ann }, { escalation_webhook: 'http://127.0.0.1:9/hook' }), {
    code: 'bad_input',
  })
})
