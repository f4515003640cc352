import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { mergeWork } from '../../board/task/merge.ts'
import { readyBoard } from '../../board/test-board.ts'
import { taskDetails } from './text.ts'

test('[B31] a task that could not be merged shows why, and what git said', async (t) => {
  const board = await readyBoard(t)
  const [one, two, reviewer] = [await board.agent('coder-1'), await board.agent('coder-2'), await board.agent('code-reviewer-1')]
  await board.ready()
  await board.submitted(one, 'task-1', 'a.txt', 'mine\n')
  await board.submitted(two, 'task-2', 'a.txt', 'theirs\n')
  for (const id of ['task-1', 'task-2']) await board.approved(reviewer, id)
  await mergeWork(board, reviewer, 'task-1')

  const text = taskDetails({ task: await mergeWork(board, reviewer, 'task-2'), human_notes: [], handoff: null })

  assert.match(
    stripVTControlCharacters(text),
    /INTEGRATION_FAILED[^]*Not merged: .*a\.txt.*\n[^]*CONFLICT \(content\): Merge conflict in a\.txt/,
  )
})
