import { lastEvent } from '../../domain/board/event.ts'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { readActivity } from '../activity.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { placeOf } from '../worktree/prepare.ts'
import { readyBoard, submittedBoard } from '../test-board.ts'
import { superviseAgent } from './supervise.ts'
import { coder, never, reviewer, superviseUntil, testStation, type Scene } from './test-team.ts'

const outside = { modelOf: () => 'agent/outsider' }

test('[B207] why a verdict said in words was refused stands in the log, in the history of the task and in the end of its reviewer', async (t) => {
  const { board } = await submittedBoard(t)
  const verdict = { moves: [{ move: 'submit_verdict', input: { verdict: 'APPROVED', verdickt: 'yes' } }] }
  const team = await testStation(t, board, { code_reviewer: () => ({ text: JSON.stringify(verdict) }) }, outside)

  const ended = await superviseAgent(team, reviewer, never)

  const lines = await readActivity(board.driver, board.board_id)
  const refused = lines.find(({ action }) => action === 'move_refused')
  const { history } = await board.task('task-1')
  assert.deepEqual([refused?.agent, refused?.task], ['code-reviewer-2', 'task-1'])
  for (const text of [
    refused?.detail,
    lines.find(({ action }) => action === 'restarted')?.detail,
    lines.find(({ action }) => action === 'stale_review_cleared')?.detail,
    lastEvent(history, 'move_refused')?.reason,
    ended.detail,
  ])
    assert.match(String(text), /submit_verdict was refused.*verdickt/)
})

test('[B98] an agent that hangs is started once more, and when it hangs again its task is BLOCKED', async (t) => {
  const board = await readyBoard(t)
  const pace = { contention_ms: [1, 5], restart_ms: 1, restart_cap_ms: 20, silence_ms: 50 } as const
  const team = await testStation(t, board, { coder: () => ({ fail: 'hang', times: 1_000 }) }, { pace })

  await superviseUntil(team, coder, async () => (await board.task('task-1')).status === 'BLOCKED')

  const restarts = (await readActivity(board.driver, board.board_id)).filter(({ action }) => action === 'restarted')
  assert.equal(restarts.length, 1)
  assert.match(restarts[0]?.detail ?? '', /silence: the agent said and did nothing for 50 ms/)
  assert.deepEqual((await board.task('task-1')).failed_by, ['coder-1'])
})

test('[B98] a silence counts for the task: the next reviewer that hangs lets it go at once', async (t) => {
  const { board } = await submittedBoard(t)
  const pace = { contention_ms: [1, 5], restart_ms: 1, restart_cap_ms: 20, silence_ms: 50 } as const
  const team = await testStation(t, board, { code_reviewer: () => ({ fail: 'hang', times: 1_000 }) }, { pace })

  const ends = [await superviseAgent(team, reviewer, never), await superviseAgent(team, reviewer, never)]

  assert.deepEqual(
    ends.map(({ reason }) => reason),
    ['crash_loop', 'crash_loop'],
  )
  const { history, status, reviewing_by } = await board.task('task-1')
  assert.equal(history.filter(({ event }) => event === 'agent_silent').length, 3)
  assert.deepEqual([status, reviewing_by], ['READY_FOR_REVIEW', null])
})

test('[B209] to commit a clean worktree is no failure, and the submission behind it is made', async (t) => {
  const board = await readyBoard(t)
  const moves = {
    moves: [
      { move: 'commit_work', input: { message: 'Again' } },
      { move: 'submit_for_review', input: {} },
    ],
  }
  const cast = {
    coder: async ({ task }: Scene) => {
      await board.work(task, 'list.txt', 'users\n')
      return { text: JSON.stringify(moves) }
    },
  }

  await superviseUntil(
    await testStation(t, board, cast, outside),
    coder,
    async () => (await board.task('task-1')).status === 'READY_FOR_REVIEW',
  )

  assert.ok(!(await readActivity(board.driver, board.board_id)).some(({ action }) => action === 'move_refused'))
})

test('[B209] a file in the place of a worktree is named, and a coder that finds nothing else stops and says so', async (t) => {
  const board = await readyBoard(t)
  const { path } = placeOf(board.repository.root, { id: 'task-1' })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'a file of ann')

  await assert.rejects(claimWithWorktree(board, await board.agent('coder-2')), { code: 'conflict', details: { in_the_way: path } })
  const ended = await superviseAgent(await testStation(t, board, {}), coder, never)

  assert.equal(ended.reason, 'claim_failed')
  assert.ok(ended.detail?.includes(path))
})
