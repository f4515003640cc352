import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { nameFilterForWorktrees } from '../../worktrees/test-hostile.ts'
import { mergeWork } from '../task/merge.ts'
import { readyBoard, shareAtRemote } from '../test-board.ts'
import { commandSettingsWith } from '../../sandbox/test-command-settings.ts'

for (const isShared of [false, true]) {
  const where = isShared ? 'of a board that several machines share' : 'of a board'
  test(`[T10] a task ${where} is claimed, submitted, tested and merged without running a filter named for worktrees`, async (t) => {
    const board = await readyBoard(t, { config: { integration_test: 'true' } })
    if (isShared) await shareAtRemote(t, board)
    const ran = await nameFilterForWorktrees(board.repository)
    const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]

    await board.submitted(coder, 'task-1')
    await board.approved(reviewer, 'task-1')
    const merged = await mergeWork({ ...board, commands: commandSettingsWith({ unsandboxed: true }) }, reviewer, 'task-1')

    assert.equal(merged.status, 'MERGED')
    assert.equal(existsSync(ran), false)
  })
}
