import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { entries } from '../../store/tables.ts'
import { readActivity } from '../activity.ts'
import { abortBoard, checkpointBoard, pauseBoard, resumeBoard } from '../goal/control.ts'
import { placeOf } from '../worktree/prepare.ts'
import { releaseClaim } from '../task/release.ts'
import { addHumanNote } from '../view/report.ts'
import { ann, readyBoard, submittedBoard, testBoard } from '../test-board.ts'
import { superviseAgent } from './supervise.ts'
import { until } from '../../sandbox/test-until.ts'
import { actionsOf, call, coder, coding, never, planner, reviewer, superviseUntil, testStation } from './test-team.ts'

const hang = { fail: 'hang' } as const

test('[B88] a coder that ends without handing in is reminded, and after three ends that changed nothing its task is blocked', async (t) => {
  const board = await readyBoard(t)
  const told: string[] = []
  const team = await testStation(t, board, {
    coder: ({ user }) => {
      told.push(user)
      return { text: 'I think that is all.' }
    },
  })

  await superviseUntil(team, coder, async () => (await board.task('task-1')).status === 'BLOCKED')

  assert.match(told[1] ?? '', /task-1 is not handed in/)
  assert.deepEqual((await board.task('task-1')).failed_by, ['coder-1'])
  assert.equal(told.length, 3)
})

test('[B88] a task that is blocked because its moves were refused says what was refused last', async (t) => {
  const board = await readyBoard(t)
  const said = JSON.stringify({ moves: [{ move: 'submit_for_review', input: {} }] })
  const team = await testStation(t, board, { coder: () => ({ text: said }) })

  await superviseUntil(team, coder, async () => (await board.task('task-1')).status === 'BLOCKED')

  assert.match(
    (await board.task('task-1')).blocked_reason ?? '',
    /without handing anything in; last error: submit_for_review was refused: ./,
  )
})

test('[B89] a run that fails is started again after waits that double while nothing changes, and after five the coder gives its task back and stops', async (t) => {
  const board = await readyBoard(t)
  const team = await testStation(t, board, { coder: () => ({ fail: 400, times: 1_000, said: 'no such model' }) })

  const ended = await superviseAgent(team, coder, never)

  assert.equal(ended.reason, 'crash_loop')
  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
  const waits = await restarts(board)
  assert.deepEqual(waits, [1, 2, 4, 8])
})

test('[B89] a change of the worktree between two failures starts the count anew', async (t) => {
  const board = await readyBoard(t)
  let failures = 0
  const team = await testStation(t, board, {
    coder: async () => {
      failures += 1
      if (failures === 3) await writeFile(join(placeOf(board.repository.root, { id: 'task-1' }).path, 'new.txt'), 'work')
      return { fail: 400, times: 1_000 }
    },
  })

  await superviseAgent(team, coder, never)

  assert.equal(failures, 8)
})

test('[B90] an empty account stops the agent at once, and its task is free', async (t) => {
  const board = await readyBoard(t)
  let asked = 0
  const team = await testStation(t, board, {
    coder: () => {
      asked += 1
      return { fail: 402, times: 1_000, said: 'insufficient_quota' }
    },
  })

  const ended = await superviseAgent(team, coder, never)

  assert.deepEqual([ended.reason, asked], ['quota', 1])
  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
})

for (const [name, stopIt] of [
  ['PAUSE', pauseBoard],
  ['CHECKPOINT', checkpointBoard],
] as const) {
  test(`[B92] ${name} ends what runs within two seconds and keeps the claim; RESUME carries on in the same thread`, async (t) => {
    const board = await readyBoard(t)
    let paused = false
    const done = coding(() => 'list.txt')
    const team = await testStation(t, board, { coder: (scene) => (scene.asked === 1 && !paused ? hang : done(scene)) })
    const stop = new AbortController()
    const supervised = superviseAgent(team, coder, stop.signal)
    await until(async () => (await entries.list(board.driver)).some(({ item }) => item.from === 'tool'))

    const began = Date.now()
    await perform(stopIt, { ...board, actor: ann }, { message: 'wait' })
    await until(async () => (await actionsOf(board)).includes('coder-1 run_ended task-1'))
    const took = Date.now() - began
    const held = await board.task('task-1')
    paused = true
    await perform(resumeBoard, { ...board, actor: ann }, { decision: 'go on' })
    await until(async () => (await board.task('task-1')).status === 'READY_FOR_REVIEW')
    stop.abort()
    await supervised

    assert.ok(took < 2_000, `${took} ms`)
    assert.deepEqual([held.status, held.assigned_to], ['CLAIMED', 'coder-1'])
    const threads = new Set((await entries.list(board.driver)).map(({ item }) => item.thread_id))
    assert.equal(threads.size, 1)
  })
}

test('[B93] ABORT ends what runs within two seconds; the agent gives back what it held and leaves', async (t) => {
  const board = await readyBoard(t)
  const team = await testStation(t, board, { coder: () => hang })
  const supervised = superviseAgent(team, coder, never)
  await until(async () => (await board.task('task-1')).status === 'CLAIMED')

  const began = Date.now()
  await perform(abortBoard, { ...board, actor: ann }, {})
  const ended = await supervised

  assert.ok(Date.now() - began < 2_000)
  assert.equal(ended.reason, 'over')
  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
  assert.ok((await actionsOf(board)).includes('coder-1 left'))
})

for (const [who, boardFor] of [
  [planner, testBoard],
  [coder, readyBoard],
  [reviewer, async (t: TestContext) => (await submittedBoard(t)).board],
] as const) {
  test(`[B94] a note that a person says while a ${who.role} is at work is in the prompt of its next run`, async (t) => {
    const board = await boardFor(t)
    const systems: string[] = []
    const idle = async ({ system }: { system: string }) => {
      if (systems.push(system) === 1) await perform(addHumanNote, { ...board, actor: ann }, { message: 'Sort by name' })
      return { text: 'I think that is all.' }
    }
    const team = await testStation(t, board, { [who.role]: idle })

    await superviseUntil(team, who, async () => systems.length > 1)

    assert.doesNotMatch(systems[0] ?? '', /Sort by name/)
    assert.match(systems[1] ?? '', /NOTES:\n- .+: Sort by name/)
  })
}

test('[B95] an agent that hands over comes back as a fresh registration, in the same worktree, with the word it left', async (t) => {
  const board = await readyBoard(t)
  const systems: string[] = []
  const handing = [
    call('create_file', { path: 'half.txt', content: 'half' }),
    call('write_handoff', { summary: 'half is written', next_action: 'write the rest' }),
  ]
  const team = await testStation(t, board, {
    coder: (scene) => {
      systems.push(scene.system)
      if (scene.iteration === 1) return handing[scene.asked] ?? { text: '' }
      return coding(() => 'rest.txt')(scene)
    },
  })

  await superviseUntil(team, coder, async () => (await board.task('task-1')).status === 'READY_FOR_REVIEW')

  assert.match(systems.at(-1) ?? '', /HANDOFF from coder-1: half is written\nNEXT ACTION: write the rest/)
  assert.equal((await actionsOf(board)).filter((action) => action === 'coder-1 registered').length, 2)
  const { worktree_by, iteration } = await board.task('task-1')
  assert.deepEqual([worktree_by, iteration], ['coder-1', 2])
})

test('[B96] an agent whose task was taken away stops its run as soon as the log says so, and writes nothing more to it', async (t) => {
  const board = await readyBoard(t, { config: { heartbeat_interval: 600, lease_duration: 1_800 } })
  const team = await testStation(t, board, { coder: () => hang })
  const stop = new AbortController()
  const supervised = superviseAgent(team, coder, stop.signal)
  await until(async () => (await entries.list(board.driver)).length > 0)
  const other = await board.agent('coder-2')

  await releaseClaim(board, ann, 'task-1', { reason: 'wanted elsewhere', force: true })
  await board.submitted(other, 'task-1')
  await until(async () => (await actionsOf(board)).includes('coder-1 run_ended task-1'))
  stop.abort()
  await supervised

  assert.deepEqual([(await board.task('task-1')).status, (await board.task('task-1')).assigned_to], ['READY_FOR_REVIEW', 'coder-2'])
})

async function restarts(board: Parameters<typeof actionsOf>[0]): Promise<number[]> {
  const lines = await readActivity(board.driver, board.board_id)
  return lines.flatMap(({ action, detail }) => (action === 'restarted' ? Number(/in (\d+) ms/.exec(detail)?.[1]) : []))
}
