import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileAt } from '../../worktrees/diff.ts'
import { testBoard } from '../test-board.ts'
import { runTeam } from './team.ts'
import { actionsOf, approving, coding, testStation } from './test-team.ts'

test('[B80] a coder and a reviewer take a task from claim to merge, and the merge is made in the reviewer’s name', async (t) => {
  const board = await testBoard(t)
  await board.ready()
  const station = await testStation(t, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })

  const ended = await runTeam(
    station,
    {
      members: [
        { role: 'coder', id: null },
        { role: 'code_reviewer', id: null },
      ],
      untilDone: true,
    },
    new AbortController().signal,
  )

  assert.equal(ended.goal, 'COMPLETED')
  assert.equal(await fileAt(board.repository.root, 'integration', 'task-1.txt'), 'users\n')
  const actions = await actionsOf(board)
  assert.ok(actions.includes('code-reviewer-1 merged task-1'))
})
