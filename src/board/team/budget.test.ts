import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '../../store/tables.ts'
import { readyBoard } from '../test-board.ts'
import { superviseAgent } from './supervise.ts'
import { runTeam } from './team.ts'
import { call, coder, never, noBudgets, superviseUntil, testStation } from './test-team.ts'

const spending = { coder: () => ({ ...call('list_directory'), usage: { cost_microusd: 600, input_tokens: 10 } }) }

test('[B91] a task whose budget is used up is blocked; a team whose budget is used up stops', async (t) => {
  const board = await readyBoard(t)
  const limited = await testStation(t, board, spending, { budgets: { ...noBudgets, task_microusd: 1_000 } })
  const teamLimited = await testStation(t, board, spending, { budgets: { ...noBudgets, team_microusd: 1_000, day_microusd: 5_000 } })

  await superviseUntil(limited, coder, async () => (await board.task('task-1')).status === 'BLOCKED')
  await board.ready()
  const ended = await superviseAgent(teamLimited, coder, never)

  assert.match((await board.task('task-1')).blocked_reason ?? '', /budget of the task is used up/)
  assert.equal(ended.reason, 'budget')
  const { status, iteration } = await board.task('task-2')
  assert.deepEqual([status, iteration], ['UNCLAIMED', null])
})

for (const [cost_microusd, why] of [
  [600, 'the budget of the team is used up: $0.0012 of $0.0010'],
  [null, 'the price of scripted/test is unknown, so the budget of the team cannot be kept'],
] as const) {
  test(`[B91] a team that its budget stops says so: ${why}`, async (t) => {
    const board = await readyBoard(t)
    const said: string[] = []
    const cast = { coder: () => ({ ...call('list_directory'), usage: { cost_microusd } }) }
    const more = { budgets: { ...noBudgets, team_microusd: 1_000 }, say: (text: string) => void said.push(text) }

    const { members } = await runTeam(await testStation(t, board, cast, more), { members: [coder], untilDone: true }, never)

    assert.deepEqual(members, [{ agent: 'coder-1', reason: 'budget', detail: why }])
    assert.deepEqual(said, [`coder-1 has stopped: ${why}`])
  })
}

test('[B91] what was spent today counts against the budget of the day, and what was spent before does not', async (t) => {
  const board = await readyBoard(t)
  const team = await testStation(t, board, spending, { budgets: { ...noBudgets, day_microusd: 1_000 } })

  const today = await superviseAgent(team, coder, never)
  for (const was of await runs.list(board.driver))
    await runs.replace(board.driver, was, { ...was.item, started_at: '2020-01-01T00:00:00.000Z' })
  const before = (await runs.list(board.driver)).length
  const tomorrow = await superviseAgent(team, coder, never)

  assert.deepEqual([today.reason, tomorrow.reason], ['budget', 'budget'])
  assert.ok((await runs.list(board.driver)).length > before)
  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
})
