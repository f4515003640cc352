import { BoardAction } from '../../domain/board/event.ts'
import * as z from 'zod'
import { BoardAgent } from '../../domain/board/agent.ts'
import { Board } from '../../domain/board/board.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards, entries, runs } from '../../store/tables.ts'
import { openRepository } from '../../worktrees/repository.ts'
import { type ActivityLine, readActivity } from '../activity.ts'
import { PLANNING, threadsOf } from '../agent/runs-of.ts'
import type { ProjectContext, RecordsContext } from '../context.ts'
import { boardOf } from '../find.ts'
import { BaseDistance, distanceHere } from '../goal/base-branch.ts'
import { countWaiting } from '../task/approve-plan.ts'
import { BoardColumn, viewColumn } from './cards.ts'

/** How many cards of a state are shown before somebody asks for more. */
const FIRST_CARDS = 20
const LINES_LOOKED_AT = 300

/** An agent and what it is at. */
const BoardAgentView = BoardAgent.omit({ generation: true, board_id: true }).extend({
  /** Its newest line in the activity log. */
  last: z.object({ action: BoardAction, detail: z.string(), at: z.iso.datetime() }).nullable(),
  /** The tool it called last in the turn it is in. */
  tool: z.string().nullable(),
})

/** What it costs to look does not grow with the number of finished tasks. */
export const viewBoard = defineOperation({
  name: 'board.view',
  summary: 'Show a board: its goal, its columns with their first cards, and its agents',
  by: ['person'],
  effect: 'read',
  command: 'board view',
  input: z.strictObject({}),
  output: Board.omit({ tasks_added: true }).extend({
    columns: z.array(BoardColumn),
    agents: z.array(BoardAgentView),
    /** Finalized tasks that only a person's approval keeps from being claimed. */
    waiting_for_approval: z.int(),
    /** How far the integration branch and the branch it is based on are apart; null where nobody can tell here. */
    base: BaseDistance.nullable(),
    /** The store's clock: leases are shown by it, not by the browser's. */
    now: z.iso.datetime(),
  }),
  example: {},
  tell: ({ goal, sprint }) => `${goal.description}: ${goal.status}, sprint ${sprint.status}`,
  run: async (context: RecordsContext) => {
    const { driver, board_id } = context
    const board = await boardOf(context)
    const columns: BoardColumn[] = []
    for (const status of taskFlow.states) columns.push(await viewColumn(driver, board_id, status, FIRST_CARDS))
    return {
      ...board,
      columns,
      agents: await viewAgents(driver, board_id),
      waiting_for_approval: await countWaiting(context),
      base: await distanceHere(context),
      now: (await driver.now()).toISOString(),
    }
  },
})

const BoardSummary = z.object({ id: z.string(), root: z.string(), goal: z.string(), status: Board.shape.goal.shape.status })

export const listBoards = defineOperation({
  name: 'board.list',
  summary: 'List every board, newest first, and say whether one can be made here',
  by: ['person'],
  effect: 'read',
  command: 'board boards',
  input: z.strictObject({}),
  output: z.object({
    boards: z.array(BoardSummary),
    /** The top of the repository this folder is in; null when it is in none. */
    repository: z.string().nullable(),
  }),
  example: {},
  tell: ({ boards: all }) => all.map(({ id, status, goal, root }) => `${id} ${status} ${goal} (${root})`).join('\n') || 'No board yet.',
  run: async ({ driver, folder }: ProjectContext) => ({
    boards: (await boards.items(driver, { order: ['-id'] })).map(({ id, root, goal }) => ({
      id,
      root,
      goal: goal.description,
      status: goal.status,
    })),
    repository: await repositoryAt(folder),
  }),
})

/** The top of the repository a folder is in; null when it is in none. */
export async function repositoryAt(folder: string): Promise<string | null> {
  try {
    return (await openRepository(folder)).root
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

async function viewAgents(driver: Driver, boardId: string) {
  const found = await boardAgents.items(driver, { where: { board_id: boardId } })
  const lines = found.length === 0 ? [] : (await readActivity(driver, boardId, { limit: LINES_LOOKED_AT })).toReversed()
  return Promise.all(
    found.map(async (agent) => ({
      ...agent,
      last: lastOf(lines.find((line) => line.agent === agent.id)),
      tool: await toolOf(driver, agent),
    })),
  )
}

function lastOf(line: ActivityLine | undefined) {
  return line === undefined ? null : { action: line.action, detail: line.detail, at: line.timestamp }
}

/** The tool an agent called last in the run it is in. */
async function toolOf(driver: Driver, { id, board_id, current_task }: BoardAgent): Promise<string | null> {
  const range = threadsOf(board_id, current_task ?? PLANNING, id)
  const [run] = await runs.items(driver, { where: { thread_id: range, status: 'running' }, order: ['-id'], limit: 1 })
  if (run === undefined) return null
  const latest = await entries.items(driver, { where: { thread_id: run.thread_id }, order: ['-number'], limit: 5 })
  const called = latest.map((entry) => (entry.from === 'tool' ? entry.tool : entry.from === 'assistant' ? entry.calls.at(-1)?.tool : ''))
  return called.find(Boolean) ?? null
}
