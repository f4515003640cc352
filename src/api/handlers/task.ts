import { addTask, editTask } from '../../board/task/add.ts'
import { holdTask } from '../../board/task/block.ts'
import type { BoardRepository } from '../../board/desk.ts'
import { finalizeTask } from '../../board/task/finalize.ts'
import { needTask } from '../../board/find.ts'
import { releaseTask } from '../../board/task/release.ts'
import { abandonTask, supersedeTask } from '../../board/task/supersede.ts'
import { linkOf, viewTask } from '../../board/view/task.ts'
import { listWorktree, readWorktreeFile, viewDiff } from '../../board/view/work.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Repository } from '../../worktrees/repository.ts'
import type { RouteInput } from '../contract.ts'
import type { taskContract } from '../contract/task.ts'
import type { Handlers } from '../dispatch.ts'
import type { ServerContext } from '../services.ts'
import { deskAt, USER } from './desk.ts'

const human = { human: USER }

export const taskHandlers: Handlers<keyof typeof taskContract> = {
  getTask: async ({ params }, { driver }) => viewTask(driver, params.id, params.task),

  getTaskDiff: async ({ params }, services) => viewDiff(...(await workAt(services, params))),
  listTaskFiles: async ({ params }, services) => listWorktree(...(await workAt(services, params))),
  readTaskFile: async ({ params, query }, services) =>
    readWorktreeFile(...(await workAt(services, params)), query.path, services.context.agent.allowedSecrets),

  addTask: async ({ params, body }, { driver }) => linkOf(await addTask({ driver, board_id: params.id }, human, body)),
  editTask: async ({ params, body }, { driver }) => linkOf(await editTask({ driver, board_id: params.id }, human, params.task, body)),
  moveTask: async ({ params, body }, services) => linkOf(await move(await deskAt(services, params.id), params.task, body)),
}

async function move(board: BoardRepository, task: string, body: RouteInput<'moveTask'>['body']): Promise<Task> {
  switch (body.move) {
    case 'finalize':
      return finalizeTask(board, human, task, body)
    case 'hold':
      return holdTask(board, human, task, body)
    case 'release':
      return releaseTask(board, human, task, body)
    case 'supersede':
      return (await supersedeTask(board, human, task, body)).task
    case 'abandon':
      return abandonTask(board, human, task, body)
  }
}

/** Where the work on a task lies, and the task. */
async function workAt(services: ServerContext, { id, task }: { id: string; task: string }): Promise<[Repository, Task]> {
  const { repository } = await deskAt(services, id)
  return [repository, (await needTask(services.driver, id, task)).item]
}
