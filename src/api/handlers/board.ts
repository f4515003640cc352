import { completeWhenReached } from '../../board/team/upkeep/complete-goal.ts'
import { startTeam, stopTeam, teamAt } from '../../board/team/background.ts'
import { abortBoard, checkpointBoard, pauseBoard, resumeBoard } from '../../board/goal/control.ts'
import { baseDistance, type BaseDistance } from '../../board/goal/base-branch.ts'
import { takeInBase } from '../../board/goal/take-in.ts'
import { configureBoard } from '../../board/goal/configure.ts'
import { freeAgentId } from '../../board/agent/free-agent.ts'
import { initBoard } from '../../board/goal/init.ts'
import { addHumanNote, settleDiscovery } from '../../board/view/report.ts'
import { addRetrospective } from '../../board/view/retrospective.ts'
import { sprintReport, writeSprintReport } from '../../board/view/sprint-report.ts'
import { viewSprint } from '../../board/view/sprint.ts'
import { listActivity, listRecords, viewGraph } from '../../board/view/task.ts'
import { boardSummary, listBoards, viewBoard, viewColumn } from '../../board/view/board.ts'
import { glanceAtBoard, watchBoard } from '../../board/health/watch.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { boards, tasks } from '../../store/tables.ts'
import { openRepository, type Repository } from '../../worktrees/repository.ts'
import type { RouteInput } from '../contract.ts'
import type { boardContract } from '../contract/board.ts'
import type { Handlers } from '../dispatch.ts'
import type { ServerContext } from '../services.ts'
import { deskAt, USER } from './desk.ts'

/** More alarms than this are a count. */
const ALARMS_SHOWN = 100
/** A larger board is held against its rules by the team at work and by `troupe board validate`: here every other answer would wait. */
const TASKS_JUDGED = 500

export const boardHandlers: Handlers<keyof typeof boardContract> = {
  listBoards: async (_input, { driver, workspace }) => ({ boards: await listBoards(driver), repository: await repositoryAt(workspace) }),

  createBoard: async ({ body }, { driver, workspace }) => {
    const { goal, spec_ref, ...config } = body
    return boardSummary(await initBoard(driver, await openRepository(workspace), { goal, spec_ref, config }, USER))
  },

  getBoard: async ({ params }, services) => {
    const { driver, teams } = services
    return { ...(await viewBoard(driver, params.id)), base: await baseOf(services, params.id), team: teamAt(teams, params.id) }
  },
  listCards: async ({ params, query }, { driver }) => {
    await boards.get(driver, params.id)
    return viewColumn(driver, params.id, query.status, query.limit)
  },
  getGraph: async ({ params, query }, { driver }) => viewGraph(driver, params.id, query.around),
  getSprint: async ({ params }, { driver }) => viewSprint(driver, params.id),
  getReport: async ({ params }, { driver }) => ({ text: await sprintReport({ driver, board_id: params.id }) }),
  addRetrospective: async ({ params, body }, { driver }) => {
    const { sprint } = await addRetrospective({ driver, board_id: params.id }, USER, body)
    return { records: sprint.retrospective?.records.length ?? 0 }
  },
  listRecords: async ({ params, query }, { driver }) => ({ records: await listRecords(driver, params.id, query.kind) }),
  listActivity: async ({ params, query }, { driver }) => ({ lines: await listActivity(driver, params.id, query.limit, query.task) }),
  listAlarms: async ({ params }, { driver }) => {
    const desk = { driver, board_id: params.id }
    const small = (await tasks.count(driver, { board_id: params.id })) <= TASKS_JUDGED
    const alarms = await (small ? watchBoard : glanceAtBoard)(desk)
    return { alarms: alarms.slice(0, ALARMS_SHOWN), count: alarms.length }
  },

  configureBoard: async ({ params, body }, { driver }) => (await configureBoard({ driver, board_id: params.id }, USER, body)).config,

  syncBoard: async ({ params }, services) => takeInBase(await deskAt(services, params.id)),

  signalBoard: async ({ params, body }, services) => {
    const desk = { driver: services.driver, board_id: params.id }
    const board = await signals[body.signal](desk, USER, body.message)
    // The team stands still whether or not its repository is on this machine to hold the report.
    if (body.signal === 'CHECKPOINT')
      await deskAt(services, params.id)
        .then(writeSprintReport)
        .catch((error) => services.driver.warn(asProblem(error)))
    return board
  },

  startTeam: async ({ params, body: { budget_usd, ...size } }, services) => {
    const board = await deskAt(services, params.id)
    await refuseElsewhere(services, board.repository)
    const team_microusd = budget_usd === undefined ? null : Math.round(budget_usd * 1_000_000)
    await startTeam(services.teams, board, { ...size, team_microusd }, USER)
    return { started: true }
  },

  stopTeam: async ({ params }, { driver, teams }) => {
    await boards.get(driver, params.id)
    await stopTeam(teams, params.id)
    return { stopped: true }
  },

  freeAgent: async ({ params, body }, { driver }) => {
    return { tasks: await freeAgentId({ driver, board_id: params.id }, USER, params.agent, body) }
  },

  settleDiscovery: async ({ params, body }, { driver }) => {
    const desk = { driver, board_id: params.id }
    const settled = await settleDiscovery(desk, { human: USER }, params.discovery, answerOf(body))
    await completeWhenReached(driver, params.id)
    return settled
  },
  addNote: async ({ params, body }, { driver }) => addHumanNote({ driver, board_id: params.id }, USER, body),
}

/** On a machine without the repository nobody can tell. */
async function baseOf(services: ServerContext, boardId: string): Promise<BaseDistance | null> {
  const { config } = (await boards.get(services.driver, boardId)).item
  const board = await deskAt(services, boardId).catch(() => null)
  return board === null ? null : baseDistance(board.repository, config)
}

function answerOf(body: RouteInput<'settleDiscovery'>['body']) {
  if (body.answer === 'task') return { converted_to_task: body.task }
  return body.answer === 'defer' ? { deferred: body.reason } : { dismissed: body.reason }
}

const signals = { PAUSE: pauseBoard, RESUME: resumeBoard, CHECKPOINT: checkpointBoard, ABORT: abortBoard } as const

/** The files of a board are kept up to date only in the repository this server was started in. */
async function refuseElsewhere({ workspace }: ServerContext, { root }: Repository): Promise<void> {
  if ((await repositoryAt(workspace)) === root) return
  throw new Problem('bad_input', `this server was started in ${workspace}; for a team at ${root} start one there: troupe team --planner`)
}

/** The top of the repository a folder lies in; null when it lies in none. */
async function repositoryAt(folder: string): Promise<string | null> {
  try {
    return (await openRepository(folder)).root
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
