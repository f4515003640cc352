import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boardMetrics } from './metrics.ts'
import { boardViolations } from './validate.ts'
import { rowsOf } from '../test-each.ts'

const now = new Date('2026-01-22T12:00:00Z')
const sha = 'a'.repeat(40)

test('[B58] each of the rules of a board is broken by a document that breaks it alone', () => {
  const missed = cases.filter(([rule, document]) => !rulesOf(document).includes(rule)).map(([rule]) => rule)
  const extra = cases.flatMap(([rule, document]) => rulesOf(document).filter((found) => found !== rule))

  assert.deepEqual({ sound: rulesOf(sound), missed, extra }, { sound: [], missed: [], extra: [] })
})

test('[B58] an agent whose lease ran out is only a warning', () => {
  const late = { 'coder-1': { role: 'coder', status: 'WORKING', current_task: 'task-2', lease_expires: '2026-01-22T11:00:00Z' } }

  const found = boardViolations({ ...sound, agents: late }, world)

  assert.deepEqual(rowsOf(found, 'rule', 'severity'), [[26, 'warning']])
})

test('[B58] a done_when that a later gate would refuse and an iteration above a limit that was lowered are only warnings', () => {
  const documents = [first({ done_when: 'works correctly' }), first({ iteration: 11 })]

  const found = documents.flatMap((document) => boardViolations(document, world))

  assert.deepEqual(rowsOf(found, 'rule', 'severity'), [
    [57, 'warning'],
    [58, 'warning'],
  ])
})

test('[B58] a spec that a goal need not have, and a task that was imported without its commit, are sound', () => {
  const waived = section({ goal: { id: 'goal-1', status: 'IN_PROGRESS', spec_ref: 'gone.md', spec_file_unchecked: true } })
  const imported = first({ status: 'MERGED', history: [{ time: minuteOf(0), event: 'imported' }] })

  assert.deepEqual([rulesOf(waived), rulesOf(imported)], [[], []])
})

test('[B58] a chain of a thousand tasks and its closing into a circle are judged without recursion', () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => ({
    ...sound.tasks[0],
    id: `task-${at}`,
    depends_on: at === 0 ? [] : [`task-${at - 1}`],
  }))
  const circle = [{ ...chain[0], depends_on: ['task-19999'] }, ...chain.slice(1)]
  const unsprinted = { ...sound, agents: {}, sprint: { ...sound.sprint, scope: {} } }

  const [fine, broken] = [chain, circle].map((tasks) => boardViolations({ ...unsprinted, tasks }, world).map(({ rule }) => rule))

  assert.deepEqual([fine, broken], [[], [17]])
})

test('[B58] what is no board at all is said to be none', () => {
  const found = [null, 'text', [], {}, { tasks: 'many', agents: [] }].map((document) => rulesOf(document).includes(1))

  assert.deepEqual(found, [true, true, true, true, true])
})

test('[B58] a section or an entry of the wrong shape does not pass for an empty one', () => {
  const lists = ['tasks', 'discovered', 'human_notes', 'anomalies', 'spec_changes']
  const maps = ['goal', 'agents', 'handoff', 'sprint', 'config', 'circuit_breaker']
  const shapes = [
    ...lists.flatMap((name) => [{ [name]: 5 }, { [name]: ['x'] }]),
    ...maps.flatMap((name) => [{ [name]: 5 }, { [name]: [] }]),
  ]
  const entries = [{ agents: { 'coder-1': 5 } }, { handoff: { 'task-1': 'x' } }]

  const passed = [...shapes, ...entries].filter((section) => !rulesOf({ ...sound, ...section }).includes(38))

  assert.deepEqual(passed, [])
})

test('[B59] the figures of a sprint are counted from the history of its tasks', () => {
  const events = [
    'claimed',
    'submitted_for_review',
    'rejected',
    'reclaimed_after_rejection',
    'submitted_for_review',
    'approved',
    'merged',
  ] as const
  const merged = {
    id: 'task-1',
    sprint: 'planned' as const,
    status: 'MERGED' as const,
    created: minuteOf(0),
    history: events.map((event, minute) => ({ time: minuteOf(minute + 1), event })),
  }
  const claim = [{ time: minuteOf(1), event: 'claimed' as const }]
  const blocked = { id: 'task-2', sprint: 'stretch' as const, status: 'BLOCKED' as const, created: minuteOf(0), history: claim }
  const stamped = Array.from({ length: 5 }, (_, number) => ({
    id: `s-${number}`,
    sprint: null,
    status: 'APPROVED' as const,
    created: minuteOf(0),
    history: [{ time: minuteOf(1), event: 'approved' as const }],
  }))

  const dropped = { ...blocked, id: 'task-3', sprint: 'planned' as const, status: 'ABANDONED' as const, history: [] }

  const figures = boardMetrics([merged, blocked, dropped])

  assert.deepEqual(
    [
      figures.tasks_done,
      figures.tasks_blocked,
      figures.iterations_total,
      figures.review_verdict_approval_rate_percent,
      figures.task_submitted_for_review_count,
    ],
    [2, 1, 3, 50, 2],
  )
  assert.deepEqual([figures.tasks_planned, figures.tasks_planned_done, figures.tasks_stretch, figures.tasks_stretch_done], [2, 1, 1, 0])
  assert.deepEqual(figures.cycle_times_ms, { 'task-1': 7 * 60_000 })
  assert.deepEqual([figures.rubber_stamp_warning, boardMetrics(stamped).rubber_stamp_warning], [false, true])
})

const world = { now, specExists: (path: string) => path === 'spec.md', folderExists: (path: string) => path === '.troupe/worktrees/task-2' }
const defined = { spec_ref: 'spec.md#a', done_when: 'prints 1', depends_on: [] }
const claimed = {
  ...defined,
  id: 'task-2',
  status: 'CLAIMED',
  assigned_to: 'coder-1',
  worktree: '.troupe/worktrees/task-2',
  base_commit: sha,
  lease_expires: '2026-01-22T13:00:00Z',
}
const sound = {
  version: 1,
  goal: { id: 'goal-1', status: 'IN_PROGRESS' },
  tasks: [{ ...defined, id: 'task-1', status: 'UNCLAIMED' }, claimed],
  agents: { 'coder-1': { role: 'coder', status: 'WORKING', current_task: 'task-2', lease_expires: '2026-01-22T13:00:00Z' } },
  handoff: {},
  discovered: [],
  anomalies: [],
  config: {},
  sprint: {
    goal_ref: 'goal-1',
    status: 'IN_PROGRESS',
    scope: { planned: ['task-1'], stretch: [] },
    timeline: { started: '2026-01-22T10:00:00Z' },
  },
}

const first = (change: object) => section({ tasks: [{ ...sound.tasks[0], ...change }, claimed] })
const second = (change: object) => section({ tasks: [sound.tasks[0], { ...claimed, ...change }] })
const more = (change: object) => section({ tasks: [...sound.tasks, { ...defined, id: 'task-3', ...change }] })
const sprint = (change: object) => section({ sprint: { ...sound.sprint, ...change } })
const agent = (change: object) => section({ agents: { 'coder-1': { ...sound.agents['coder-1'], ...change } } })
const section = (change: object) => ({ ...sound, ...change })

/** The sound document, each time with what breaks one rule. */
// oxfmt-ignore
const cases: readonly (readonly [number, object])[] = [
  [1, section({ config: null })],
  [2, first({ status: 'FLYING' })],
  [3, first({ status: 'DRAFT', assigned_to: 'coder-2' })],
  [5, first({ status: 'READY_FOR_REVIEW' })],
  [6, second({ worktree: null })],
  [7, second({ base_commit: null })],
  [8, second({ lease_expires: null })],
  [9, first({ status: 'MERGED', worktree: 'x', merge_commit: sha, review_commit: sha })],
  [10, more({ ...claimed, id: 'task-3' })],
  [11, second({ worktree: '.troupe/worktrees/gone' })],
  [12, first({ status: 'BLOCKED', blocked_reason: 'x' })],
  [13, first({ status: 'REJECTED' })],
  [14, first({ status: 'SUPERSEDED', superseded_by: ['task-2'] })],
  [15, first({ depends_on: ['task-9'] })],
  [16, second({ depends_on: ['task-1'] })],
  [17, first({ depends_on: ['task-1'] })],
  [18, first({ integration_fix: true })],
  [19, agent({ current_task: null })],
  [20, first({ failed_by: ['coder-1', 'coder-1'] })],
  [21, first({ done_when: null })],
  [22, first({ spec_ref: null })],
  [23, first({ spec_ref: 'gone.md' })],
  [24, section({ handoff: { 'task-1': { summary: 'half' } } })],
  [25, section({ discovered: [{ id: 'd', urgency: 'soon' }] })],
  [26, agent({ lease_expires: null })],
  [27, section({ anomalies: [{ type: 'vibes' }] })],
  [28, section({ anomalies: [{ type: 'retry_loop', details: { count: 1 } }] })],
  [29, section({ anomalies: [{ type: 'trade_off', details: { what: 'a', why: 'b' } }] })],
  [30, section({ anomalies: [{ type: 'external_blocker', details: {} }] })],
  [31, section({ anomalies: [{ type: 'assumption_violated', details: { assumption: 'a' } }] })],
  [32, section({ anomalies: [{ type: 'system_ambiguity', details: { question: 'a' } }] })],
  [33, sprint({ status: 'RUNNING' })],
  [34, sprint({ goal_ref: 'goal-2' })],
  [35, sprint({ scope: { planned: ['task-9'] } })],
  [36, sprint({ scope: { stretch: ['task-9'] } })],
  [37, sprint({ timeline: {} })],
  [38, section({ tasks: [...sound.tasks, 'text'] })],
  [40, more({ ...defined, id: 'task-1', status: 'UNCLAIMED' })],
  [41, first({ status: 'APPROVED', review_commit: sha })],
  [42, first({ status: 'MERGED', review_commit: sha })],
  [43, first({ status: 'BLOCKED', blocked_reason: 'x', blocked_questions: ['1', '2', '3', '4'] })],
  [44, first({ status: 'READY_FOR_REVIEW', review_commit: sha, reviewing_by: 'code-reviewer-1' })],
  [45, first({ status: 'READY_FOR_REVIEW', review_commit: sha, assigned_to: 'x', reviewing_by: 'x', review_lease_expires: '2026-01-22T13:00:00Z' })],
  [47, agent({ role: 'planner' })],
  [48, agent({ status: 'SLEEPING' })],
  [49, agent({ current_task: 'task-1' })],
  [50, section({ goal: { id: 'goal-1', status: 'PLANNING' } })],
  [51, section({ config: { lease_duration: 100 } })],
  [52, section({ goal: { id: 'goal-1', status: 'IN_PROGRESS', spec_ref: 'gone.md#users' } })],
  [53, first({ status: 'MERGED', merge_commit: sha })],
  [54, section({ discovered: [{ id: 'd', urgency: 'immediate', converted_to_task: 'task-9' }] })],
  [55, first({ assigned_to: 'code-reviewer-1' })],
  [56, first({ status: 'SUPERSEDED', superseded_by: ['task-9'], rescope_reason: 'too large' })],
  [57, first({ done_when: 'everything works correctly' })],
  [58, first({ iteration: 11 })],
  [58, first({ iteration: 3, max_iterations: 2 })],
  [59, first({ priority: 0 })],
  [60, first({ preparing: true })],
]

function rulesOf(document: unknown): number[] {
  return [...new Set(boardViolations(document, world).map(({ rule }) => rule))]
}

function minuteOf(minute: number): string {
  return `2026-01-22T10:${String(minute).padStart(2, '0')}:00Z`
}
