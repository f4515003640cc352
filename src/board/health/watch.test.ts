import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Board } from '../../domain/board/board.ts'
import { BoardAgent } from '../../domain/board/agent.ts'
import type { RecordOf } from '../../domain/board/record.ts'
import { Task } from '../../domain/board/task.ts'
import { each } from '../../domain/test-each.ts'
import { readyBoard } from '../test-board.ts'
import { alarmsOf, watchBoard, type WatchedBoard } from './watch.ts'

const now = new Date('2026-05-01T12:00:00.000Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()

const board = Board.parse({
  id: 'board-1',
  root: '/project',
  goal: { id: 'goal-1', description: 'List the users', spec_ref: null, created: ago(600), status: 'IN_PROGRESS' },
  sprint: { id: 'sprint-1', goal_ref: 'goal-1', status: 'IN_PROGRESS', timeline: { started: ago(600) } },
  config: { integration_branch: 'integration' },
})

function aTask(over: Partial<Task>): Task {
  return Task.parse({ id: 'task-1', board_id: 'board-1', number: 1, description: 'List', status: 'CLAIMED', created: ago(5), ...over })
}

function seen(over: Partial<WatchedBoard>): string[] {
  return alarmsOf({ board, tasks: [], agents: [], discoveries: [], last_activity: ago(1), ...over }, now).map(({ alarm }) => alarm)
}

const agent = BoardAgent.parse({
  id: 'coder-1',
  board_id: 'board-1',
  role: 'coder',
  status: 'WORKING',
  current_task: 'task-1',
  generation: 'g',
  lease_expires: ago(3),
  heartbeat: ago(3),
})

test('[B125] each alarm about a task is raised at its threshold and not before', () => {
  // oxfmt-ignore
  const cases: [Partial<Task>, string][] = [
    [{ status: 'READY_FOR_REVIEW', reviewing_by: 'code-reviewer-1', review_lease_expires: ago(3) }, 'REVIEW LEASE EXPIRED'],
    [{ status: 'BLOCKED', blocked_reason: 'no spec' },                                               'BLOCKED'],
    [{ status: 'REJECTED', created: ago(1) },                                                        'ORPHANED REJECTED'],
    [{ status: 'REJECTED', created: ago(0.2) },                                                      ''],
    [{ review_cycles_current: 5 },                                                                   'REVIEW LOOP'],
    [{ status: 'INTEGRATION_FAILED' },                                                               'INTEGRATION FAILED'],
    [{ failed_by: ['coder-1', 'coder-2'] },                                                          'HYPOTHESIS EXHAUSTION'],
    [{ assigned_to: 'coder-1', history: [{ time: ago(2), event: 'claimed', agent: 'coder-2' }] },    'REASSIGNED'],
    [{ iteration: 8 },                                                                               'APPROACHING LIMIT'],
    [{ iteration: 7 },                                                                               ''],
    [{ review_cycles_current: 3 },                                                                   'APPROACHING LIMIT'],
    [{ status: 'DRAFT', created: ago(31) },                                                          'STALE DRAFT'],
    [{ status: 'DRAFT', created: ago(29) },                                                          ''],
  ]

  const raised = cases.map(([over]) => [over, seen({ tasks: [aTask(over)] }).join()])

  assert.deepEqual(raised, cases)
})

test('[B125] each alarm about agents, discoveries and the board as a whole is raised at its threshold and not before', () => {
  const tasks = [aTask({})]
  const under = (name: 'PAUSE' | 'CHECKPOINT', minutes: number) => ({
    ...board,
    signal: { name, since: ago(minutes), by: 'ann', message: '' },
  })
  // oxfmt-ignore
  const cases: [Partial<WatchedBoard>, string][] = [
    [{ agents: [agent] },                                              'LEASE EXPIRED'],
    [{ agents: [{ ...agent, lease_expires: ago(1) }] },                ''],
    [{ discoveries: [discovery] },                                     'IMMEDIATE DISCOVERY'],
    [{ discoveries: [{ ...discovery, converted_to_task: 'task-2' }] }, ''],
    [{ tasks, last_activity: ago(31) },                                'STALLED'],
    [{ tasks, last_activity: ago(29) },                                ''],
    [{ last_activity: ago(31) },                                       ''],
    [{ board: under('CHECKPOINT', 29) },                               ''],
    [{ board: under('CHECKPOINT', 31) },                               'CHECKPOINT STALE'],
    [{ board: under('CHECKPOINT', 121) },                              'CHECKPOINT STUCK'],
    [{ board: under('CHECKPOINT', 481) },                              'CHECKPOINT ABANDONED?'],
    [{ board: under('PAUSE', 29) },                                    ''],
    [{ board: under('PAUSE', 31) },                                    'STALE PAUSE'],
    [{ board: under('PAUSE', 121) },                                   'PAUSE FORGOTTEN?'],
  ]

  const raised = cases.map(([over]) => [over, seen(over).join()])

  assert.deepEqual(raised, cases)
})

test('[B125] a board that breaks a rule of the validator is an alarm of its own', async (t) => {
  const desk = await readyBoard(t)
  await desk.put('task-1', { status: 'CLAIMED' })

  const alarms = await watchBoard(desk)

  assert.deepEqual(each(alarms, 'alarm'), ['INVALID STATE'])
  assert.match(alarms[0]?.message ?? '', /task-1/)
})

test('[B126] an alarm keeps its key while its cause is the same, and a board in order raises none', async (t) => {
  const desk = await readyBoard(t)

  const quiet = await watchBoard(desk)
  const keys = [1, 2].map(
    () => alarmsOf({ board, tasks: [aTask({ status: 'BLOCKED' })], agents: [], discoveries: [], last_activity: ago(1) }, now)[0]?.key,
  )

  assert.deepEqual(quiet, [])
  assert.equal(keys[0], keys[1])
})

const discovery: RecordOf<'discovery'> = {
  id: 'discovery_1',
  board_id: 'board-1',
  task: 'task-1',
  timestamp: ago(1),
  kind: 'discovery',
  by: 'coder-1',
  description: 'The export loads every row',
  severity: 'critical',
  urgency: 'immediate',
  recommendation: '',
  converted_to_task: null,
  dismissed: null,
}
