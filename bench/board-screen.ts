import { perform } from '../src/domain/operation.ts'
import { boardNeeds } from '../src/board/task/needs.ts'
import { sprintReport } from '../src/board/view/sprint-report.ts'
import { glanceAtBoard } from '../src/board/health/watch.ts'
import { viewSprint } from '../src/board/view/sprint.ts'
import { viewGraph } from '../src/board/view/graph.ts'
import { viewBoard } from '../src/board/view/board.ts'
import { viewColumn } from '../src/board/view/cards.ts'
import { taskFlow } from '../src/domain/board/task-flow.ts'
import type { Driver } from '../src/store/driver.ts'
import { type Bench, quickest, type Row } from './report/bench.ts'
import { fillBoard } from './board/fill-board.ts'
import { openPlace } from './report/place.ts'

const MANY = 5_000
/** As many as the first screen shows at most, so that only the size of the board differs. */
const FEW = taskFlow.states.length * 20
const MIB = 1024 * 1024

/** What the server does for the screens of a board of 5 000 tasks, held against a board that fits on one screen. */
export const bench: Bench = {
  name: 'board screen',
  run: async (t) => {
    const { driver } = await openPlace(t)
    await fillBoard(driver, 'few', FEW)
    await fillBoard(driver, 'many', MANY)
    await fillBoard(driver, 'plan', MANY, ['UNCLAIMED'])
    return rowsOf(driver)
  },
}

async function rowsOf(driver: Driver): Promise<Row[]> {
  const best = await quickest(10, {
    few: () => boardText(driver, 'few'),
    many: () => boardText(driver, 'many'),
    plan: () => boardText(driver, 'plan'),
    column: () => viewColumn(driver, 'many', 'MERGED', 500),
    graph: () => perform(viewGraph, contextOf(driver, 'many'), {}),
    sprint: () => perform(viewSprint, contextOf(driver, 'many'), {}),
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
  return JSON.stringify(await perform(viewBoard, contextOf(driver, id), {}))
}

function contextOf(driver: Driver, board_id: string) {
  return { driver, board_id, actor: { human: 'ann' } }
}
