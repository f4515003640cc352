import { perform } from '../../src/domain/operation.ts'
import { addTask, type AddRequest } from '../../src/board/task/add.ts'
import { approvePlan } from '../../src/board/task/approve-plan.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { finalizeTask } from '../../src/board/task/finalize.ts'
import { beginGoal } from '../../src/board/goal/init.ts'
import type { TaskRecord } from '../../src/domain/board/task.ts'
import { openRepository } from '../../src/worktrees/repository.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import type { Troupe } from './start-troupe.ts'
import { ann, withoutCommands, withSteps, type TestBoard } from '../../src/board/test-board.ts'

/** A board in the store of a running server, for the repository it stands in, and hands to move it with. */
export async function setBoard(troupe: Troupe): Promise<TestBoard> {
  const repository = await setRepository(troupe.workspace)
  const driver = await troupe.openStore()
  const goal = 'Page every list of the API by 50, with a cursor'
  const board = await beginGoal(driver, repository, { goal, spec_ref: 'specs/paging.md', config: { require_tests: false } }, 'ann')
  return withSteps({ driver, board_id: board.id, repository, ...withoutCommands })
}

/** A repository with a spec and a little code in a folder. */
export async function setRepository(folder: string, more: Readonly<Record<string, string>> = {}) {
  const files = {
    ...more,
    'specs/paging.md': '# Paging\n\nEvery list gives 50 items and a cursor.\n\n# Errors\n\nA bad cursor answers 400.\n',
    'src/users.ts': "import { all } from './db.ts'\n\nexport function listUsers() {\n  return all('users')\n}\n",
    'README.md': '# Shop\n',
  }
  await beginRepository(folder, files)
  return openRepository(folder)
}

/** A task that passes every gate; approved too, unless it is to wait. */
export async function plan(board: BoardWorkspace, request: AddRequest & { id: string }, approved = true): Promise<TaskRecord> {
  const whole = {
    spec_ref: 'specs/paging.md#paging',
    done_when: 'GET returns 50 items and a cursor',
    scope: 'IN: paging. OUT: sorting',
    ...request,
  }
  await perform(addTask, { ...board, actor: ann }, whole)
  const task = await perform(finalizeTask, { ...board, actor: ann }, { task: request.id })
  if (approved) await perform(approvePlan, { ...board, actor: { human: 'ann' } }, { tasks: [request.id] })
  return task
}
