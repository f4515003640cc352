import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boardContract } from '../src/api/contract/board.ts'
import { boardNeeds } from '../src/board/needs.ts'
import { sprintReport } from '../src/board/sprint-report.ts'
import { glanceAtBoard } from '../src/board/watch.ts'
import { viewSprint } from '../src/board/view-sprint.ts'
import { viewGraph } from '../src/board/view-task.ts'
import { viewBoard, viewColumn } from '../src/board/view.ts'
import { Board } from '../src/domain/board.ts'
import { taskFlow, type TaskState } from '../src/domain/task-flow.ts'
import { Task } from '../src/domain/task.ts'
import type { Driver } from '../src/store/driver.ts'
import { openStore } from '../src/store/open.ts'
import { boards, tasks } from '../src/store/tables.ts'
import { type Bench, quickest, type Row } from './bench.ts'

const MANY = 5_000
/** As many as the first screen shows at most, so that only the size of the board differs. */
const FEW = taskFlow.states.length * 20
const MIB = 1024 * 1024

export const bench: Bench = { name: 'board screen', run: runBoardScreenBench }

/** What the server does for the screens of a board of 5 000 tasks, held against a board that fits on one screen. */
export async function runBoardScreenBench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  const driver = await openStore(`sqlite:${join(folder, 'troupe.db')}`)
  try {
    await fill(driver, 'few', FEW)
    await fill(driver, 'many', MANY)
    await fill(driver, 'plan', MANY, ['UNCLAIMED'])
    return await rowsOf(driver)
  } finally {
    await driver.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function rowsOf(driver: Driver): Promise<Row[]> {
  const best = await quickest(10, {
    few: () => boardText(driver, 'few'),
    many: () => boardText(driver, 'many'),
    plan: () => boardText(driver, 'plan'),
    column: () => viewColumn(driver, 'many', 'MERGED', 500),
    graph: () => viewGraph(driver, 'many'),
    sprint: () => viewSprint(driver, 'many'),
    needs: () => boardNeeds(driver),
    alarms: () => glanceAtBoard({ driver, board_id: 'many' }),
    report: () => sprintReport({ driver, board_id: 'many' }),
  })
  const [few, many] = [(await boardText(driver, 'few')).length, (await boardText(driver, 'many')).length]
  return [
    { what: `board of ${MANY} tasks against one of ${FEW}`, unit: 'ms', ours: best.many, floor: best.few, budget: { at_most: 5 } },
    { what: `board of ${MANY} tasks`, unit: 'ms', ours: best.many, budget: { at_most: 150 } },
    { what: `a plan of ${MANY} tasks that waits for approval`, unit: 'ms', ours: best.plan, budget: { at_most: 150 } },
    { what: `the answer, against one of ${FEW}`, unit: 'MiB', ours: many / MIB, floor: few / MIB, budget: { at_most: 1.1 } },
    { what: 'the answer', unit: 'MiB', ours: many / MIB, budget: { at_most: 0.25 } },
    { what: '500 cards of one state', unit: 'ms', ours: best.column, budget: { at_most: 150 } },
    { what: 'its dependency graph', unit: 'ms', ours: best.graph, budget: { at_most: 100 } },
    { what: 'its sprint figures', unit: 'ms', ours: best.sprint, budget: { at_most: 1_000 } },
    { what: 'its alarms', unit: 'ms', ours: best.alarms, budget: { at_most: 1_000 } },
    { what: 'the report of its sprint', unit: 'ms', ours: best.report, budget: { at_most: 1_000 } },
    { what: 'what waits for a person', unit: 'ms', ours: best.needs, budget: { at_most: 150 } },
  ]
}

/** The answer as it goes over the wire. */
async function boardText(driver: Driver, id: string): Promise<string> {
  return JSON.stringify(boardContract.getBoard.reply.parse(await viewBoard(driver, id)))
}

/** Tasks spread over all states, each with a description, a history and a dependency. */
async function fill(driver: Driver, id: string, count: number, states: readonly TaskState[] = taskFlow.states): Promise<void> {
  const at = '2026-11-01T10:00:00.000Z'
  const goal = { id: 'goal-1', description: 'Page every list', spec_ref: null, created: at, status: 'IN_PROGRESS' }
  const sprint = { id: 'sprint-1', goal_ref: 'goal-1', status: 'IN_PROGRESS', timeline: { started: at } }
  await boards.add(driver, Board.parse({ id, root: `/projects/${id}`, goal, sprint, config: {} }))
  await driver.transaction(async (tx) => {
    for (let number = 1; number <= count; number++) await tasks.add(tx, aTask(id, number, at, states))
  })
}

function aTask(board_id: string, number: number, at: string, states: readonly TaskState[]): Task {
  const events = ['created', 'finalized', 'plan_approved', 'claimed', 'submitted_for_review', 'rejected', 'claimed', 'submitted_for_review']
  return Task.parse({
    id: `task-${number}`,
    board_id,
    number,
    status: states[number % states.length],
    created: at,
    description: `Page list ${number} of the API by 50 items\n${'More about what is wanted. '.repeat(20)}`,
    spec_ref: 'specs/paging.md#paging',
    done_when: `GET /list-${number} returns 50 items and a cursor`,
    scope: 'IN: paging. OUT: sorting',
    priority: 1 + (number % 5),
    depends_on: number > 11 ? [`task-${number - 11}`] : [],
    unmet: 1 + (number % 2),
    assigned_to: `coder-${number % 8}`,
    iteration: 2,
    blocked_questions: ['Which order?'],
    history: events.map((event) => ({ time: at, event, agent: `coder-${number % 8}`, commit: 'a'.repeat(40) })),
  })
}
