import type { TestContext } from 'node:test'
import { perform as performHere } from '../../domain/operation.ts'
import { addTask } from '../../board/task/add.ts'
import { blockTask } from '../../board/task/block.ts'
import { claimWithWorktree } from '../../board/task/claim.ts'
import { finalizeTask } from '../../board/task/finalize.ts'
import type { Cast } from '../../board/team/test-team.ts'
import { ann, testBoard, type TestBoard } from '../../board/test-board.ts'
import { serveForTest } from '../test-server.ts'

/** A server with a board on a real repository, a script for each role of a team, and callers of the addresses under it. */
export async function openBoard(t: TestContext, config = {}, cast: Cast = {}) {
  const server = await serveForTest(t, { cast })
  const board = await testBoard(t, { config, open: async () => server.services.driver })
  const perform = (verb: string, input: object) => server.send('POST', `/api/board/${verb}`, { board: board.board_id, ...input })
  return {
    server,
    board,
    /** Does an operation on the board. */
    perform,
    /** What an operation on the board gives back. */
    read: async (verb: string, input: object = {}) => (await perform(verb, input)).body,
  }
}

/** A finalized task that waits for approval. */
export async function planned(board: TestBoard, id: string): Promise<void> {
  await performHere(
    addTask,
    { ...board, actor: ann },
    { id, description: 'List them', spec_ref: 'spec.md', done_when: 'a.txt lists 2 users', scope: 'IN: the list' },
  )
  await performHere(finalizeTask, { ...board, actor: ann }, { task: id })
}

/** A task whose coder asks something. */
export async function blocked(board: TestBoard, id: string): Promise<void> {
  await board.ready({ id })
  const coder = await board.agent('coder-1')
  await claimWithWorktree(board, coder, id)
  await blockTask(board, coder, id, { blocked_reason: 'The order of the list is not said.', blocked_questions: ['By name or by id?'] })
}
