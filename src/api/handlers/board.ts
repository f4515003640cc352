import { abortBoard, checkpointBoard, pauseBoard, resumeBoard } from '../../board/control.ts'
import { approvePlan } from '../../board/approve-plan.ts'
import { holdTask } from '../../board/block.ts'
import type { Desk } from '../../board/desk.ts'
import { finalizeTask } from '../../board/finalize.ts'
import { needTask } from '../../board/find.ts'
import { initBoard } from '../../board/init.ts'
import { releaseTask } from '../../board/release.ts'
import { addHumanNote } from '../../board/report.ts'
import { abandonTask } from '../../board/supersede.ts'
import { unblockTask } from '../../board/unblock.ts'
import { viewSprint } from '../../board/view-sprint.ts'
import { linkOf, listActivity, listRecords, viewGraph, viewTask } from '../../board/view-task.ts'
import { listWorktree, readWorktreeFile, viewDiff } from '../../board/view-work.ts'
import { boardSummary, listBoards, viewBoard, viewColumn } from '../../board/view.ts'
import { Problem } from '../../domain/problem.ts'
import type { Task } from '../../domain/task.ts'
import { boards } from '../../store/tables.ts'
import { openRepository } from '../../worktrees/repository.ts'
import type { boardContract } from '../contract/board.ts'
import type { Handlers } from '../dispatch.ts'
import type { RouteInput } from '../contract.ts'
import type { Services } from '../services.ts'

/** Who acts through the server: the person who holds its token, and never an agent. */
const USER = 'user'

export const boardHandlers: Handlers<keyof typeof boardContract> = {
  listBoards: async (_input, { driver, workspace }) => ({ boards: await listBoards(driver), repository: await repositoryAt(workspace) }),

  createBoard: async ({ body }, { driver, workspace }) => {
    const { goal, spec_ref, auto_approve } = body
    return boardSummary(await initBoard(driver, await openRepository(workspace), { goal, spec_ref, config: { auto_approve } }, USER))
  },

  getBoard: async ({ params }, { driver }) => viewBoard(driver, params.id),
  listCards: async ({ params, query }, { driver }) => {
    await boards.get(driver, params.id)
    return viewColumn(driver, params.id, query.status, query.limit)
  },
  getGraph: async ({ params, query }, { driver }) => viewGraph(driver, params.id, query.around),
  getSprint: async ({ params }, { driver }) => viewSprint(driver, params.id),
  listRecords: async ({ params, query }, { driver }) => ({ records: await listRecords(driver, params.id, query.kind) }),
  listActivity: async ({ params, query }, { driver }) => ({ lines: await listActivity(driver, params.id, query.limit, query.task) }),
  getTask: async ({ params }, { driver }) => viewTask(driver, params.id, params.task),

  getTaskDiff: async ({ params }, services) => {
    const { repository } = await deskAt(services, params.id)
    return viewDiff(repository, await taskAt(services, params))
  },

  listTaskFiles: async ({ params }, services) => {
    const { repository } = await deskAt(services, params.id)
    return listWorktree(repository, await taskAt(services, params))
  },

  readTaskFile: async ({ params, query }, services) => {
    const { repository } = await deskAt(services, params.id)
    return readWorktreeFile(repository, await taskAt(services, params), query.path, services.allowedSecrets)
  },

  approvePlan: async ({ params, body }, services) => ({ approved: await approvePlan(await deskAt(services, params.id), USER, body.tasks) }),

  signalBoard: async ({ params, body }, services) => {
    const desk = { driver: services.driver, board_id: params.id }
    const { signal } = await signals[body.signal](desk, USER, body.message)
    return { signal }
  },

  addNote: async ({ params, body }, { driver }) => {
    const { id } = await addHumanNote({ driver, board_id: params.id }, USER, body)
    return { id }
  },

  moveTask: async ({ params, body }, services) => linkOf(await move(await deskAt(services, params.id), params.task, body)),
}

const signals = { PAUSE: pauseBoard, RESUME: resumeBoard, CHECKPOINT: checkpointBoard, ABORT: abortBoard } as const

async function move(desk: Desk, task: string, body: RouteInput<'moveTask'>['body']): Promise<Task> {
  const human = { human: USER }
  switch (body.move) {
    case 'finalize':
      return finalizeTask(desk, human, task)
    case 'unblock':
      return unblockTask(desk, human, task, body)
    case 'hold':
      return holdTask(desk, human, task, body)
    case 'release':
      return releaseTask(desk, human, task, body)
    case 'abandon':
      return abandonTask(desk, human, task, body)
  }
}

async function deskAt({ driver, sandbox }: Services, board_id: string): Promise<Desk> {
  const { root } = (await boards.get(driver, board_id)).item
  return { driver, board_id, repository: await openRepository(root), sandbox }
}

async function taskAt({ driver }: Services, { id, task }: { id: string; task: string }): Promise<Task> {
  return (await needTask(driver, id, task)).item
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
