import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Driver } from '../../store/driver.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { gitText, type Repository } from '../../worktrees/repository.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { mergeWork } from './merge.ts'
import { takeInBase } from '../goal/take-in.ts'
import { commitSpec, readyBoard, shareAtRemote, type TestBoard } from '../test-board.ts'

for (const place of ['here', 'at a remote'] as const) {
  test(`[B34] a merging process that was frozen beyond its lease moves nothing ${place} when it goes on after the approval was voided`, async (t) => {
    const { board, truth } = await approvedTask(t, place)
    const frozen = { ...board, driver: frozenAfter(board.driver, 2, () => voidedByAnother(board)) } // it has taken the merge and renewed its hold

    const merging = mergeWork(frozen, { supervisor: 'frozen' }, 'task-1')

    await assert.rejects(merging, { code: 'conflict', message: /another process has taken over the merge/ })
    assert.equal((await board.task('task-1')).status, 'REJECTED')
    assert.equal(await fileAt(truth.root, 'integration', 'task-1.txt').catch(() => null), null)
  })
}

test('[B34] what was voided in place of a process that died can be merged once it is approved anew', async (t) => {
  const { board } = await approvedTask(t, 'here')
  await board.put('task-1', { merging_by: 'dead', merge_lease_expires: PAST })
  await changeSpec(board)
  await takeInBase(board)
  const before = await branchHead(board.repository, 'integration')
  await gitText(board.repository.root, ['checkout', '--quiet', 'integration'])

  await assert.rejects(mergeWork(board, { supervisor: 'second' }, 'task-1'), { code: 'conflict', message: /is checked out/ })
  await gitText(board.repository.root, ['checkout', '--quiet', 'main'])
  const voided = await mergeWork(board, { supervisor: 'third' }, 'task-1')
  const fenced = await branchHead(board.repository, 'integration')
  const coder = await board.agent('coder-2')
  await board.expire('coder-1')
  await board.submitted(coder, 'task-1')
  await board.approved(await board.agent('code-reviewer-2'), 'task-1')
  const merged = await mergeWork(board, { supervisor: 'third' }, 'task-1')

  assert.deepEqual([voided.status, merged.status], ['REJECTED', 'MERGED'])
  assert.equal(await gitText(board.repository.root, ['rev-parse', `${fenced}^`]), before)
  assert.equal(await gitText(board.repository.root, ['diff', '--name-only', before ?? '', fenced ?? '']), '')
})

const PAST = '2020-01-01T00:00:00.000Z'

async function approvedTask(t: TestContext, place: 'here' | 'at a remote'): Promise<{ board: TestBoard; truth: Pick<Repository, 'root'> }> {
  const board = await readyBoard(t)
  const truth = place === 'here' ? board.repository : { root: await shareAtRemote(t, board) }
  await board.submitted(await board.agent('coder-1'), 'task-1')
  await board.approved(await board.agent('code-reviewer-1'), 'task-1')
  return { board, truth }
}

/** A store whose user is held up after so many transactions, for as long as it takes. */
function frozenAfter(driver: Driver, count: number, meanwhile: () => Promise<void>): Driver {
  let left = count
  return {
    ...driver,
    transaction: async (work) => {
      const result = await driver.transaction(work)
      left -= 1
      if (left === 0) await meanwhile()
      return result
    },
  }
}

/** What happens once the lease of a merge has run out and its spec says something else. */
async function voidedByAnother(board: TestBoard): Promise<void> {
  await board.put('task-1', { merge_lease_expires: PAST })
  await changeSpec(board)
  await mergeWork(board, { supervisor: 'second' }, 'task-1')
}

async function changeSpec({ repository }: TestBoard): Promise<void> {
  await commitSpec({ repository }, '# Users\n\nNever list them.\n')
}
