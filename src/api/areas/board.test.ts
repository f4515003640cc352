import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform as performHere } from '../../domain/operation.ts'
import { addTask } from '../../board/task/add.ts'
import { claimWithWorktree } from '../../board/task/claim.ts'
import { mergeWork } from '../../board/task/merge.ts'
import { logDiscovery } from '../../board/view/report.ts'
import { claimReview } from '../../board/task/review.ts'
import { ann, aRejection } from '../../board/test-board.ts'
import { recordVerdict } from '../../board/task/verdict.ts'
import { each } from '../../domain/test-each.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { serveForTest } from '../test-server.ts'
import { blocked, openBoard, planned } from './test-board.ts'

test('[B140] a board gives the count of every state, its first cards, who has them, and the rest when asked', async (t) => {
  const { board, read } = await openBoard(t)
  for (let at = 0; at < 23; at++) await performHere(addTask, { ...board, actor: ann }, { description: `Write page ${at}` })
  await board.ready({ id: 'claimed' })
  await claimWithWorktree(board, await board.agent('coder-1'), 'claimed')

  const view = await read('view')
  const more = await read('list_tasks', { status: 'DRAFT', limit: 100 })

  const draft = view.columns.find(({ status }: Column) => status === 'DRAFT')
  const [card] = view.columns.find(({ status }: Column) => status === 'CLAIMED').cards
  assert.deepEqual([draft.count, draft.cards.length, more.tasks.length], [23, 20, 23])
  assert.deepEqual([card.title, card.assigned_to, card.iteration, card.cost_microusd], ['List the users', 'coder-1', 1, 0])
  assert.ok(Date.parse(card.lease_expires) > Date.parse(view.now) && !('claim_generation' in card))
})

test('[B211] an immediate discovery stands under Needs you until a person settles it over the API', async (t) => {
  const { server, board, perform: settle } = await openBoard(t)
  const urgent = { description: 'The clock is wrong', urgency: 'immediate' } as const
  const [first, second] = [
    await performHere(logDiscovery, { ...board, actor: ann }, urgent),
    await performHere(logDiscovery, { ...board, actor: ann }, urgent),
  ]
  const waiting = async () => new Set(each((await server.send('GET', '/api/system/list_needs')).body.needs, 'id'))

  const before = await waiting()
  const silent = await settle('settle_discovery', { discovery: first.id, reject: ' ' })
  const unknown = await settle('settle_discovery', { discovery: first.id, task: 'none' })
  const answers = [
    await settle('settle_discovery', { discovery: first.id, reject: 'It is right since Monday' }),
    await settle('settle_discovery', { discovery: second.id, defer: 'After the release' }),
  ]

  assert.deepEqual(before, new Set([`${board.board_id}/${first.id}`, `${board.board_id}/${second.id}`]))
  assert.deepEqual([silent.status, unknown.status, ...each(answers, 'status')], [400, 404, 200, 200])
  assert.deepEqual(await waiting(), new Set())
})

test('[B141] a blocked question is answered by a person, and what the verb refuses is told in its words', async (t) => {
  const { board, perform: post } = await openBoard(t)
  await blocked(board, 'one')

  const silent = await post('unblock_task', { task: 'one', answer: '  ' })
  const vague = await post('unblock_task', { task: 'one', answer: 'By name', done_when: 'it works well' })
  const answered = await post('unblock_task', { task: 'one', answer: 'By name' })
  const again = await post('unblock_task', { task: 'one', answer: 'By name' })

  assert.deepEqual([silent.status, vague.status, answered.status, again.status], [400, 400, 200, 409])
  assert.match(vague.body.error.message, /cannot be proven wrong/)
  assert.match(again.body.error.message, /cannot unblock this task: it is UNCLAIMED/)
  assert.equal((await board.task('one')).history.at(-1)?.agent, 'user')
})

test('[B142] a plan is approved by a person over the API, whole or task by task', async (t) => {
  const { board, perform, read } = await openBoard(t)
  for (const id of ['one', 'two', 'three']) await planned(board, id)

  const before = (await read('view')).waiting_for_approval
  const one = await perform('approve_plan', { tasks: ['one'] })
  const rest = await perform('approve_plan', {})

  assert.equal(before, 3)
  assert.deepEqual([one.body, rest.body], [{ approved: ['one'] }, { approved: ['two', 'three'] }])
  assert.equal((await board.task('two')).plan_approved_by, 'user')
})

test('[B143] the board is paused, resumed, stopped for a checkpoint and aborted in the person’s name, and no body names another', async (t) => {
  const { board, perform: order, read } = await openBoard(t)

  const paused = await order('pause', { message: 'lunch' })
  const resumed = await order('resume', {})
  const checkpoint = await order('checkpoint', {})
  const undecided = await order('resume', {})
  const forged = await order('pause', { by: 'coder-1' })
  const aborted = await order('abort', { message: 'wrong goal' })

  assert.deepEqual(each([paused, resumed, checkpoint, undecided, forged, aborted], 'status'), [200, 200, 200, 400, 400, 200])
  assert.deepEqual([paused.body.signal.by, resumed.body.signal], ['user', null])
  assert.equal((await read('view')).goal.status, 'ABORTED')
  const [report = '', ...more] = await readdir(join(board.repository.root, '.troupe/reports'))
  assert.match(report, /^checkpoint-.+\.md$/)
  assert.deepEqual(more, [])
})

test('[B147] the graph holds what is open and what it waits for, or what surrounds one task', async (t) => {
  const { board, read } = await openBoard(t)
  for (const id of ['a', 'b', 'c'])
    await performHere(addTask, { ...board, actor: ann }, { id, description: `Do ${id}`, depends_on: id === 'a' ? [] : ['a'] })
  await performHere(addTask, { ...board, actor: ann }, { id: 'd', description: 'Do d', depends_on: ['b', 'c'] })

  const whole = await read('view_graph')
  const around = await read('view_graph', { around: 'b' })

  assert.deepEqual(arrowsOf(whole), ['a: ', 'b: a', 'c: a', 'd: b c'])
  assert.deepEqual(arrowsOf(around), ['a: ', 'b: a', 'd: b'])
})

test('[B148] every agent is shown with its task, its last word and its lease, and without its generation', async (t) => {
  const { board, read } = await openBoard(t)
  await board.ready({ id: 'one' })
  await claimWithWorktree(board, await board.agent('coder-1'), 'one')

  const { agents } = await read('view')

  assert.deepEqual([agents[0].id, agents[0].current_task, agents[0].last.action, agents[0].tool], ['coder-1', 'one', 'claimed', null])
  assert.ok(!('generation' in agents[0]))
})

test('[B149] burn-up, cycle time, approval rate and cost are counted from the record', async (t) => {
  const { board, read } = await openBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  for (const id of ['one', 'two']) await board.ready({ id })
  await board.submitted(coder, 'one')
  await board.approved(reviewer, 'one')
  await mergeWork(board, reviewer, 'one')

  const sprint = await read('view_sprint')

  assert.deepEqual([sprint.tasks_total, sprint.tasks_done, sprint.review_verdict_approval_rate_percent], [2, 1, 100])
  assert.deepEqual([sprint.scope.at(-1).value, sprint.merged.at(-1).value, sprint.approval_rate.at(-1).value], [2, 1, 100])
  assert.deepEqual([sprint.cycle_times[0].task, sprint.cycle_times[0].value], ['one', sprint.cycle_time_median_ms])
  assert.equal(sprint.cost_microusd, 0)
})

test('[B59] five approvals without a rejection are warned of in the figures and in the report', async (t) => {
  const { board, read } = await openBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  const warned = []

  for (const id of ['one', 'two', 'three', 'four', 'five']) {
    await board.ready({ id })
    await board.submitted(coder, id)
    await board.approved(reviewer, id)
    warned.push([(await read('view_sprint')).rubber_stamp_warning, /are the reviews real\?/.test((await read('view_report')).text)])
  }

  assert.deepEqual(warned, [...Array.from({ length: 4 }, () => [false, false]), [true, true]])
})

test('[B150] every checkpoint, waiting plan, blocked question and deadlock waits in the one list, the gravest first', async (t) => {
  const { board, server, read } = await openBoard(t, { max_review_cycles: 1 })
  await blocked(board, 'asked')
  await planned(board, 'planned')
  await board.ready({ id: 'locked' })
  const { review_commit } = await board.submitted(await board.agent('coder-2'), 'locked')
  const reviewer = await board.agent('code-reviewer-1')
  await claimReview(board, reviewer, 'locked')
  await recordVerdict(board, reviewer, 'locked', aRejection(review_commit ?? ''))
  await read('checkpoint', { message: 'half way' })

  const { needs } = (await server.send('GET', '/api/system/list_needs')).body

  const told = needs.map(({ kind, severity, title }: Record<string, string>) => `${kind} ${severity} ${title}`)
  assert.equal(told[0], 'approval critical Checkpoint: half way')
  assert.deepEqual(told.slice(1).toSorted(), [
    'plan major A plan of 1 task waits for your approval',
    'task major Review deadlock at locked: Does the coder ignore the feedback, are the criteria unclear, or is the task framed wrongly?',
    'task major asked asks: By name or by id?',
  ])
  assert.ok(needs.every(({ link }: { link: string }) => link.startsWith(`/board/${board.board_id}`)))
})

test('[B151] a board is made for the repository the server stands in; outside one it is refused', async (t) => {
  const server = await serveForTest(t)
  const make = () => server.send('POST', '/api/board/init', { goal: 'List the users' })
  const nowhere = await make()
  server.services.workspace = (await makeTestRepository(t)).root

  const made = await make()
  const second = await make()
  const { boards, repository } = (await server.send('GET', '/api/board/list')).body

  assert.deepEqual([nowhere.status, made.status, second.status], [400, 200, 409])
  assert.match(nowhere.body.error.message, /git init/)
  assert.deepEqual([boards.length, boards[0].goal, boards[0].root], [1, 'List the users', repository])
})

interface Column {
  status: string
}

function arrowsOf({ tasks }: { tasks: { id: string; depends_on: string[] }[] }): string[] {
  return tasks.map(({ id, depends_on }) => `${id}: ${depends_on.join(' ')}`)
}
