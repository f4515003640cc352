import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../../domain/operation.ts'
import { loadRoles } from '../../../roles/load.ts'
import { boardOf } from '../../find.ts'
import { addTask } from '../../task/add.ts'
import { resumeBoard } from '../../goal/control.ts'
import { logDiscovery } from '../../view/report.ts'
import { holdTask } from '../../task/block.ts'
import { ann, readyBoard, testBoard, type TestBoard } from '../../test-board.ts'
import { unblockTask } from '../../task/unblock.ts'
import { openCauses, type PlannerCause } from './causes.ts'
import { plannerText } from './planner.ts'
import type { TeamContext } from '../context.ts'
import { superviseAgent } from '../supervise.ts'
import { runTeam, teamOf } from '../team.ts'
import { until } from '../../../sandbox/test-until.ts'
import { actionsOf, approving, call, coding, never, planner, superviseUntil, testStation, type Scene } from '../test-team.ts'

async function causesOf(board: TestBoard) {
  return openCauses(board.driver, await boardOf(board))
}

/** What wants a planner when one has just done something, and after it died of that. */
async function dyingAfter(board: TestBoard, team: TeamContext, action: string) {
  let whileAlive: PlannerCause[] = []
  await superviseUntil(team, planner, async () => {
    if (!(await actionsOf(board)).includes(action)) return false
    whileAlive = await causesOf(board)
    return true
  })
  return { whileAlive, causes: await causesOf(board) }
}

test('[B110] a planner is woken by what is blocked, failed or discovered, lowest priority number first, then the oldest', async (t) => {
  const board = await testBoard(t)
  for (const priority of [2, 1, 1]) await board.ready({ priority })
  for (const id of ['task-1', 'task-2', 'task-3'])
    await perform(holdTask, { ...board, actor: ann }, { task: id, reason: `${id} has to wait` })
  const coder = await board.agent('coder-1')
  await perform(
    logDiscovery,
    { ...board, actor: coder },
    { task: 'task-1', description: 'The export loads every row', urgency: 'immediate' },
  )
  await perform(logDiscovery, { ...board, actor: coder }, { task: 'task-1', description: 'A typing mistake' })

  const causes = await causesOf(board)

  assert.deepEqual(
    causes.map(({ trigger, task }) => `${trigger} ${task}`),
    ['BLOCKED_TASK task-2', 'BLOCKED_TASK task-3', 'BLOCKED_TASK task-1', 'IMMEDIATE_DISCOVERY task-1'],
  )
})

test('[B111] a cause wakes a planner once, also across processes, and again only when something about it changed', async (t) => {
  const board = await readyBoard(t)
  await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: 'has to wait' })
  const woken: string[] = []
  const cast = {
    planner: ({ system }: Scene) => {
      woken.push(/WAKE TRIGGER: (\w+ \S+)/.exec(system)?.[1] ?? '')
      return { text: 'Only a person can answer this.' }
    },
  }
  const stop = new AbortController()
  const stations = await Promise.all([testStation(t, board, cast), testStation(t, board, cast)])
  const supervised = stations.map((team) => superviseAgent(team, planner, stop.signal))
  await until(
    async () =>
      (await actionsOf(board)).includes('planner-1 planner_rests') || (await actionsOf(board)).includes('planner-2 planner_rests'),
  )

  await unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'go on' })
  await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: 'has to wait again' })
  await until(() => woken.length >= 2)
  await until(async () => (await causesOf(board)).length === 0)
  stop.abort()
  await Promise.all(supervised)

  assert.deepEqual(woken, ['BLOCKED_TASK task-1:', 'BLOCKED_TASK task-1:'])
})

test('[B112] what woke a planner that died before it was through is put before the next one', async (t) => {
  const board = await testBoard(t)
  const dead = await testStation(t, board, { planner: () => ({ fail: 'hang' }) })

  const { whileAlive, causes } = await dyingAfter(board, dead, 'planner-1 planner_woken')

  assert.deepEqual(whileAlive, [])
  assert.deepEqual(triggers(causes), ['INITIAL_PLANNING'])
})

test('[B112] a plan whose planner died in the middle is put before the next one, and the goal is not reached before that', async (t) => {
  const board = await testBoard(t, { config: { auto_approve: true } })
  const plan = {
    id: 'first',
    description: 'List',
    kind: 'doc',
    spec_ref: 'spec.md',
    done_when: 'a.txt lists 2 users',
    scope: 'IN: the list',
  }
  const steps = [call('add_task', plan), call('finalize_task', { task: 'first' })]
  const dead = await testStation(t, board, { planner: ({ asked }) => steps[asked] ?? { fail: 'hang' } })
  await superviseUntil(dead, planner, async () => (await actionsOf(board)).includes('planner-1 tasks_finalized first'))
  const team = await testStation(t, board, {
    planner: (scene) => (scene.asked === 0 ? call('add_task', { ...plan, id: 'second' }) : { text: 'That was missing.' }),
    coder: coding(({ task }) => `${task}.txt`),
    code_reviewer: approving,
  })

  const seen = await causesOf(board)
  const ending = new AbortController()
  const ended = runTeam(team, { members: teamOf({ planner: true, coders: 1, reviewers: 1 }), untilDone: true }, ending.signal)
  await until(async () => (await actionsOf(board)).some((action) => action.endsWith('merged first')))
  await until(async () => (await actionsOf(board)).some((action) => action.endsWith('task_added second')))
  ending.abort()

  assert.deepEqual(triggers(seen), ['INITIAL_PLANNING'])
  assert.equal((await ended).goal, 'IN_PROGRESS')
})

test('[B112] drafts wake a planner once the planner that wrote them is gone, and those of a person never do', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { description: 'Half written' })
  const writing = await testStation(t, board, {
    planner: ({ asked }) => (asked === 0 ? call('add_task', { id: 'left', description: 'List' }) : { fail: 'hang' }),
  })
  await perform(holdTask, { ...board, actor: ann }, { task: (await board.ready()).id, reason: 'it has to wait' })

  const { whileAlive, causes } = await dyingAfter(board, writing, 'planner-1 task_added left')

  assert.deepEqual(whileAlive, [])
  assert.deepEqual(
    causes.map(({ trigger, about }) => `${trigger} ${about}`),
    ['BLOCKED_TASK it has to wait', 'UNFINISHED_DRAFTS left'],
  )
})

test('[B118] each role is told what it has to log, and that it logs it when it happens', async (t) => {
  const board = await testBoard(t)
  const roles = await loadRoles({})
  const item = await boardOf(board)
  const cause = { trigger: 'INITIAL_PLANNING', task: null, about: 'List', fingerprint: 'x' } as const

  const planning = (await plannerText(board, item, 'planner-1', cause, [])).board ?? ''
  const [coder = '', reviewer = ''] = ['coder', 'code_reviewer'].map((role) => roles.resolve(role).role.instructions)

  const missing = Object.entries({ planner: planning, coder, reviewer }).flatMap(([role, prompt]) =>
    (duties[role] ?? []).filter((type) => !prompt.includes(type)),
  )
  assert.deepEqual(missing, [])
  for (const prompt of [planning, coder, reviewer]) assert.match(prompt, /Log when (it happens|you see it)/)
})

/** As the specification of the team lists them. */
const duties: Record<string, string[]> = {
  planner: ['hypothesis_exhaustion', 'spec_gap', 'system_ambiguity'],
  coder: ['retry_loop', 'trade_off', 'spec_ambiguity', 'external_blocker', 'assumption_violated', 'system_ambiguity'],
  reviewer: ['retry_loop', 'scope_deviation', 'workaround', 'debt_created', 'assumption_violated', 'spec_changed', 'system_ambiguity'],
}

test('[B113] a planner cuts a goal into tasks from its spec, and the goal is complete when all of them are over and nobody plans', async (t) => {
  const board = await testBoard(t, { config: { auto_approve: true } })
  const plan = { description: 'List the users', spec_ref: 'spec.md#users', done_when: 'list.txt names 2 users', scope: 'IN: the list' }
  const first = { ...plan, id: 'first' }
  const second = { ...plan, id: 'second', depends_on: ['first'] }
  let system = ''
  const team = await testStation(t, board, {
    planner: (scene) => {
      if (scene.asked === 0) system = scene.system
      const steps = [
        { calls: [call('add_task', first), call('add_task', second)].flatMap(({ calls = [] }) => calls) },
        { calls: ['first', 'second'].map((task) => ({ tool: 'finalize_task', input: { task } })) },
      ]
      return steps[scene.asked] ?? { text: 'Planned.' }
    },
    coder: coding(({ task }) => `${task}.txt`),
    code_reviewer: approving,
  })

  const { goal } = await runTeam(team, { members: teamOf({ planner: true, coders: 1, reviewers: 1 }), untilDone: false }, never)

  assert.equal(goal, 'COMPLETED')
  assert.match(system, /GOAL: List the users[^]*WAKE TRIGGER: INITIAL_PLANNING[^]*SPEC spec\.md:[^]*List them\./)
  assert.deepEqual([(await board.task('first')).status, (await board.task('second')).status], ['MERGED', 'MERGED'])
})

test('[B165] a planner that leaves no task is reminded and stops, and the goal is put before the next one', async (t) => {
  const board = await testBoard(t)
  const heard: string[] = []
  const idle = {
    planner: ({ user }: Scene) => {
      heard.push(user)
      return { text: 'All is well.' }
    },
  }
  const saying = {
    planner: ({ asked }: Scene) =>
      asked === 0 ? call('log_anomaly', { type: 'spec_gap', details: { missing: 'the spec' } }) : { text: 'There is no spec.' },
  }

  const first = await superviseAgent(await testStation(t, board, idle), planner, never)
  const second = await superviseAgent(await testStation(t, board, saying), planner, never)
  const said: string[] = []
  const station = { ...(await testStation(t, board, saying)), say: (text: string) => void said.push(text) }
  await runTeam(station, { members: [planner], untilDone: true }, never)

  assert.deepEqual([first.reason, second.reason], ['no_plan', 'no_plan'])
  assert.match(said.join('\n'), /planner-1 has stopped: no plan; add tasks yourself/)
  assert.equal(heard.length, 3)
  assert.match(heard[1] ?? '', /no task on the board.*log_anomaly spec_gap/)
  assert.deepEqual(triggers(await causesOf(board)), ['INITIAL_PLANNING'])
})

test('[B169] a planner that cannot go on without a person stops the team for a look, and is told what was decided', async (t) => {
  const board = await testBoard(t)
  const heard: string[] = []
  const asking = {
    planner: ({ asked, user }: Scene) => {
      heard.push(user)
      return asked === 0 ? call('checkpoint', { message: 'Which of the two specs holds?' }) : call('add_task', { description: 'List' })
    },
  }
  const team = await testStation(t, board, asking)
  const stop = new AbortController()
  const supervised = superviseAgent(team, planner, stop.signal)

  await until(async () => (await boardOf(board)).signal !== null)
  const { signal, sprint } = await boardOf(board)
  await perform(resumeBoard, { ...board, actor: ann }, { decision: 'the newer one' })
  await until(async () => (await boardOf(board)).tasks_added > 0)
  stop.abort()
  await supervised

  assert.deepEqual([signal?.name, signal?.by, signal?.message], ['CHECKPOINT', 'planner-1', 'Which of the two specs holds?'])
  assert.equal(sprint.status, 'CHECKPOINT')
  assert.ok(
    heard.some((prompt) => /ann decided: the newer one\. Carry on/.test(prompt)),
    heard.join('\n'),
  )
})

function triggers(causes: readonly { trigger: string }[]): string[] {
  return causes.map(({ trigger }) => trigger)
}
