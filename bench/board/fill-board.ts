import { Board } from '../../src/domain/board/board.ts'
import { taskFlow, type TaskState } from '../../src/domain/board/task-flow.ts'
import { Task } from '../../src/domain/board/task.ts'
import type { Driver } from '../../src/store/driver.ts'
import { boards, tasks } from '../../src/store/tables.ts'

/** Tasks spread over all states, each with a description, a history and a dependency. */
export async function fillBoard(driver: Driver, id: string, count: number, states: readonly TaskState[] = taskFlow.states): Promise<void> {
  const at = '2026-11-01T10:00:00.000Z'
  await addBoard(driver, id, at)
  await driver.transaction(async (tx) => {
    for (let number = 1; number <= count; number++) await tasks.add(tx, aTask(id, number, at, states))
  })
}

/** A board without a task. */
export async function addBoard(driver: Driver, id: string, created: string): Promise<void> {
  const goal = { id: 'goal-1', description: 'Page every list', spec_ref: null, created, status: 'IN_PROGRESS' }
  const sprint = { id: 'sprint-1', goal_ref: 'goal-1', status: 'IN_PROGRESS', timeline: { started: created } }
  await boards.add(driver, Board.parse({ id, root: `/projects/${id}`, goal, sprint, config: {} }))
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
