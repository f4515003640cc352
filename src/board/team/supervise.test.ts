import { lastEvent } from '../../domain/board/event.ts'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { rowsOf } from '../../domain/test-each.ts'
import { boardAgents } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { gitText } from '../../worktrees/repository.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { readActivity } from '../activity.ts'
import { placeOf } from '../worktree/prepare.ts'
import { registerAgent } from '../agent/register.ts'
import { addHumanNote } from '../view/report.ts'
import { ann, claimedBoard, readyBoard, testBoard } from '../test-board.ts'
import { agentIdFrom } from './identity.ts'
import { superviseAgent } from './supervise.ts'
import { runTeam } from './team.ts'
import { until } from '../../sandbox/test-until.ts'
import {
  actionsOf,
  approving,
  call,
  coder,
  coding,
  never,
  rejecting,
  reviewer,
  superviseUntil,
  testStation,
  type Scene,
} from './test-team.ts'

test('[B80] a coder and a reviewer take a task from claim to merge, and the merge is made in the reviewer’s name', async (t) => {
  const board = await readyBoard(t)
  const team = await testStation(t, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })

  const ended = await runTeam(team, { members: [coder, reviewer], untilDone: true }, never)

  assert.equal(ended.goal, 'COMPLETED')
  assert.equal(await fileAt(board.repository.root, 'integration', 'task-1.txt'), 'users\n')
  assert.ok((await actionsOf(board)).includes('code-reviewer-1 merged task-1'))
})

test('[B81] the id of an agent comes from the environment under either name, and in a team is the first free one', async (t) => {
  const board = await testBoard(t)
  await registerAgent(board, { id: 'coder-1' })
  const team = await testStation(t, board, {})

  const ids = [agentIdFrom({ TROUPE_AGENT_ID: 'coder-3' }, 'coder'), agentIdFrom({ LIZA_AGENT_ID: 'planner-2' }, 'planner')]
  const { agent } = await superviseAgent(team, coder, AbortSignal.abort())

  assert.deepEqual(ids, ['coder-3', 'planner-2'])
  assert.equal(agent, 'coder-2')
})

test('[B82] an agent without an id, a malformed id, one of another role and one that is in use are refused, and nobody’s entry is touched', async (t) => {
  const board = await testBoard(t)
  const alive = await registerAgent(board, { id: 'coder-1' })
  const before = await boardAgents.list(board.driver)
  const team = await testStation(t, board, {})

  assert.throws(() => agentIdFrom({}, 'code_reviewer'), { code: 'bad_input', message: /TROUPE_AGENT_ID is not set.*code-reviewer-1/ })
  for (const id of ['coder', 'coder1', 'my-coder-1'])
    assert.throws(() => agentIdFrom({ TROUPE_AGENT_ID: id }, 'coder'), /is not an agent id/)
  assert.throws(() => agentIdFrom({ TROUPE_AGENT_ID: 'planner-1' }, 'coder'), /planner-1 is the id of a planner, but a coder/)
  assert.throws(() => agentIdFrom({ TROUPE_AGENT_ID: 'coder-1', LIZA_AGENT_ID: 'coder-2' }, 'coder'), /set only one/)
  await assert.rejects(superviseAgent(team, { role: 'coder', id: alive.agent }, never), /coder-1 is registered and alive/)

  assert.deepEqual(await boardAgents.list(board.driver), before)
})

test('[B83] an agent that waits hears of new work at once, from whichever process it comes', async (t) => {
  const board = await testBoard(t, { config: { coder_poll_interval: 3_600 } })
  const stop = new AbortController()
  const team = await testStation(t, board, { coder: coding(() => 'a-list.txt') })
  const supervised = superviseAgent(team, coder, stop.signal)
  await until(async () => (await actionsOf(board)).includes('coder-1 registered'))

  await board.ready()
  await until(async () => (await board.task('task-1')).status === 'READY_FOR_REVIEW')
  stop.abort()

  assert.deepEqual(await supervised, { agent: 'coder-1', reason: 'stopped' })
})

test('[B84] a claim that fails is tried three times, each failure is logged, and then the agent stops', async (t) => {
  const board = await readyBoard(t)
  const team = await testStation(t, { ...board, repository: { ...board.repository, root: '/dev/null/nowhere' } }, {})

  const ended = await superviseAgent(team, coder, never)

  assert.equal(ended.reason, 'claim_failed')
  assert.equal((await actionsOf(board)).filter((action) => action === 'coder-1 claim_failed').length, 3)
})

test('[B62] a task whose branch a person has checked out keeps no coder from the others, nor from those that come of them', async (t) => {
  const board = await readyBoard(t, { config: { coder_poll_interval: 1, reviewer_poll_interval: 1 } })
  const [list, count] = [await board.ready({ id: 'list' }), await board.ready({ id: 'count', depends_on: ['list'] })]
  await gitText(board.repository.root, ['checkout', '--quiet', '-b', placeOf(board.repository.root, { id: 'task-1' }).branch])
  const team = await testStation(t, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })

  const ended = await runTeam(team, { members: [coder, reviewer], untilDone: true }, never)

  assert.deepEqual(rowsOf(ended.members, 'agent', 'reason'), [
    ['coder-1', 'claim_failed'],
    ['code-reviewer-1', 'idle'],
  ])
  for (const { id } of [list, count]) assert.equal((await board.task(id)).status, 'MERGED')
  const failed = (await readActivity(board.driver, board.board_id)).filter(({ action }) => action === 'claim_failed')
  assert.ok(failed.length < 10, `${failed.length} tries`)
  for (const { task, detail } of failed) assert.match(`${task}: ${detail}`, /^task-1: .*checked out in .*; check out another/)
})

test('[B85] a coder is told its task, when it is done, its scope, the spec, what it depends on, the notes and what was rejected', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ description: 'Count the orders', depends_on: [], scope: 'IN: counting' })
  await perform(addHumanNote, { ...board, actor: ann }, { task: 'task-1', message: 'Mind the order of the list' })
  const scenes: Scene[] = []
  const team = await testStation(t, board, {
    coder: (scene) => {
      scenes.push(scene)
      return coding(({ task, iteration }) => `${task}-${iteration}.txt`)(scene)
    },
    code_reviewer: (scene) => (scene.task === 'task-1' && !scene.system.includes('earlier blocker') ? rejecting() : approving(scene)),
  })

  await runTeam(team, { members: [coder, reviewer], untilDone: true }, never)

  const first = scenes[0]
  const again = scenes.find(({ task, iteration }) => task === 'task-1' && iteration === 2)
  for (const part of ['TASK ID: task-1', 'DONE WHEN: a.txt lists 2 users', 'SCOPE: IN: the list', 'List them.', 'ann: Mind the order']) {
    assert.ok(first?.system.includes(part), part)
  }
  assert.ok(!first?.system.includes('MUST address'))
  assert.match(again?.system ?? '', /MUST address each blocker:\nBlockers: 1\n- 1\.1 a\.txt:1[^]*Fix: Print the list of users/)
})

test('[B86] a reviewer is told the range, the author, every changed file, how the spec changed and each earlier blocker', async (t) => {
  const board = await readyBoard(t)
  const coderId = await board.agent('coder-7')
  await board.submitted(coderId, 'task-1')
  const scenes: Scene[] = []
  const team = await testStation(t, board, {
    code_reviewer: (scene) => {
      scenes.push(scene)
      return approving(scene)
    },
  })

  await runTeam(team, { members: [reviewer], untilDone: true }, never)

  const { base_commit, review_commit } = await board.task('task-1')
  const { system = '' } = scenes[0] ?? {}
  for (const part of [
    `BASE COMMIT: ${base_commit}`,
    `REVIEW COMMIT: ${review_commit}`,
    'AUTHOR: coder-7',
    '- added task-1.txt +1 -0',
    'No file of this range looks like a test',
  ]) {
    assert.ok(system.includes(part), part)
  }
})

test('[B87] approved work of a reviewer that is gone is merged by whoever supervises, in that reviewer’s name', async (t) => {
  const board = await readyBoard(t)
  const [coderId, gone] = [await board.agent('coder-1'), await board.agent('code-reviewer-9')]
  await board.submitted(coderId, 'task-1')
  await board.approved(gone, 'task-1')
  await board.expire('code-reviewer-9')
  const team = await testStation(t, board, {})

  await runTeam(team, { members: [{ role: 'coder', id: 'coder-2' }], untilDone: true }, never)

  assert.equal((await board.task('task-1')).status, 'MERGED')
  assert.ok((await actionsOf(board)).includes('code-reviewer-9 merged task-1'))
})

test('[B97] the worktree of a closed task whose process died is cleared away by whoever supervises, and its work is kept', async (t) => {
  const board = await readyBoard(t)
  await board.ready()
  const coderId = await board.agent('coder-1')
  await board.submitted(coderId, 'task-1')
  await board.put('task-1', { status: 'ABANDONED', worktree: null })
  const place = placeOf(board.repository.root, { id: 'task-1' })
  const stop = new AbortController()

  const team = runTeam(await testStation(t, board, {}), { members: [{ role: 'planner', id: null }], untilDone: false }, stop.signal)
  await until(async () => (await branchHead(board.repository, place.branch)) === null)
  stop.abort()
  await team

  assert.equal(existsSync(place.path), false)
  assert.equal(await fileAt(board.repository.root, `refs/troupe/${board.board_id}/task-1/closed`, 'task-1.txt'), 'users\n')
})

test('[B15] a coder that waits takes up the task of one that died as soon as the lease has run out, without being told', async (t) => {
  const { board } = await claimedBoard(t, { config: { lease_duration: 3, heartbeat_interval: 1, coder_poll_interval: 600 } }) // nobody beats for it
  const { lease_expires } = await board.task('task-1')
  const team = await testStation(t, board, { coder: () => ({ fail: 'hang' }) })

  await superviseUntil(team, { ...coder, id: 'coder-2' }, async () => (await board.task('task-1')).assigned_to === 'coder-2')

  const taken = lastEvent((await board.task('task-1')).history, 'reclaimed_after_expiry')
  assert.equal(taken?.previous_assignee, 'coder-1')
  assert.ok((taken?.time ?? '') >= (lease_expires ?? 'never'))
})

test('[B94] a note of a person reaches the next prompt of whoever works on the task', async (t) => {
  const board = await readyBoard(t)
  let told = ''
  const team = await testStation(t, board, {
    coder: async (scene) => {
      if (scene.iteration === 1 && scene.asked === 0)
        await perform(addHumanNote, { ...board, actor: ann }, { task: 'task-1', message: 'Sort by name' })
      if (scene.iteration === 2) told = scene.system
      return coding(({ iteration }) => `list-${iteration}.txt`)(scene)
    },
    code_reviewer: (scene) => (scene.system.includes('earlier blocker') ? approving(scene) : rejecting()),
  })

  await runTeam(team, { members: [coder, reviewer], untilDone: true }, never)

  assert.match(told, /ann: Sort by name/)
})

test('[B170] a team that works until its goal is reached ends as soon as all that is left waits for a role whose agents have stopped', async (t) => {
  const board = await testBoard(t, { config: { coder_poll_interval: 1, reviewer_poll_interval: 1 } })
  const done = await board.ready()
  const blocked = await board.ready()
  const team = await testStation(t, board, {
    planner: () => ({ fail: 402, said: 'insufficient_quota' }),
    coder: (scene) =>
      scene.task === done.id
        ? coding(({ task }) => `${task}.txt`)(scene)
        : call('mark_blocked', { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }),
    code_reviewer: approving,
  })

  const ended = await runTeam(team, { members: [{ role: 'planner', id: null }, coder, reviewer], untilDone: true }, never)

  assert.equal(ended.goal, 'IN_PROGRESS')
  assert.deepEqual(
    ended.members.map(({ agent, reason }) => `${agent} ${reason}`),
    ['planner-1 quota', 'coder-1 idle', 'code-reviewer-1 idle'],
  )
  assert.equal((await board.task(done.id)).status, 'MERGED')
  assert.equal((await board.task(blocked.id)).status, 'BLOCKED')
})
