import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { readActivity } from '../activity.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { freeAgentId, registerAgent } from './register.ts'
import { claimedBoard, reviewedBoard } from '../test-board.ts'

test('[B228] the id of an agent whose process is gone is freed by a person by force and with a reason, and what it held is free at once', async (t) => {
  const { board, coder } = await claimedBoard(t)
  const free = (force: boolean, reason: string) =>
    perform(freeAgentId, { ...board, actor: { human: 'ann' } }, { agent: 'coder-1', force, reason })

  await assert.rejects(free(false, 'gone'), { code: 'confirmation_required', message: /alive until/ })
  await assert.rejects(free(true, ' '), { code: 'bad_input' })
  const { tasks: freed } = await free(true, 'its terminal was closed')

  const again = await registerAgent(board, { id: 'coder-1' })
  assert.deepEqual([freed, (await board.task('task-1')).status], [['task-1'], 'UNCLAIMED'])
  assert.notEqual(again.generation, coder.generation)
  await assert.rejects(claimWithWorktree(board, coder), { code: 'forbidden' })
  const said = (await readActivity(board.driver, board.board_id)).find(({ action }) => action === 'agent_freed')
  assert.deepEqual([said?.agent, said?.detail], ['ann', 'coder-1: its terminal was closed; task-1 may be taken again'])
})

test('[B228] an agent whose lease ran out is freed without force, and one that is not there is refused', async (t) => {
  const { board } = await reviewedBoard(t)
  await board.expire('code-reviewer-1')

  const { tasks: freed } = await perform(freeAgentId, { ...board, actor: { human: 'ann' } }, { agent: 'code-reviewer-1', reason: '' })

  assert.deepEqual([freed, (await board.task('task-1')).reviewing_by], [['task-1'], null])
  await assert.rejects(perform(freeAgentId, { ...board, actor: { human: 'ann' } }, { agent: 'code-reviewer-1', reason: '' }), {
    code: 'not_found',
  })
})
