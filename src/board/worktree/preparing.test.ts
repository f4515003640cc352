import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import type { Driver } from '../../store/driver.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { placeOf } from './prepare.ts'
import { boardState } from '../view/state.ts'
import { readyBoard, type TestBoard } from '../test-board.ts'
import { validateState } from '../health/validate.ts'

const errorsOf = async (board: TestBoard) =>
  validateState(await boardState(board), { root: board.repository.root, now: await board.driver.now() }).filter(
    ({ severity }) => severity === 'error',
  )

test('[B227] whichever write a claim is killed after, the board is valid, and the next coder gets the task with its worktree', async (t) => {
  for (let writes = 0; ; writes++) {
    const board = await readyBoard(t)
    const coder = await board.agent('coder-1')

    const whole = await claimWithWorktree({ ...board, driver: killedAfter(board.driver, writes) }, coder).then(
      () => true,
      () => false,
    )

    assert.deepEqual(await errorsOf(board), [], `killed after ${writes} writes`)
    if (whole) return assert.ok(writes > 1)
    await board.expire('coder-1')
    const taken = await claimWithWorktree(board, await board.agent('coder-2'))
    assert.deepEqual([taken?.id, existsSync(placeOf(board.repository.root, { id: 'task-1' }).path)], ['task-1', true])
    assert.deepEqual(await errorsOf(board), [])
  }
})

test('[B227] a claim says that its worktree is being made until it is there, and not any more when it is given back', async (t) => {
  const board = await readyBoard(t)
  const coder = await board.agent('coder-1')
  await claimWithWorktree({ ...board, driver: killedAfter(board.driver, 1) }, coder).catch(() => null)
  const during = await board.task('task-1')
  await board.expire('coder-1')

  const after = await claimWithWorktree(board, await board.agent('coder-2'))

  assert.deepEqual([during.status, during.preparing, after?.preparing], ['CLAIMED', true, false])
})

/** A store that is gone for its user after so many writes. */
function killedAfter(driver: Driver, writes: number): Driver {
  let left = writes
  const once = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left === 0) throw new Error('killed')
    left -= 1
    return work()
  }
  return {
    ...driver,
    transaction: (work) => once(() => driver.transaction(work)),
  }
}
