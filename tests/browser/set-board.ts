import { addTask, type AddRequest } from '../../src/board/add.ts'
import { approvePlan } from '../../src/board/approve-plan.ts'
import { claimTask } from '../../src/board/claim.ts'
import type { Desk, Identity } from '../../src/board/desk.ts'
import { finalizeTask } from '../../src/board/finalize.ts'
import { initBoard } from '../../src/board/init.ts'
import { placeOf } from '../../src/board/prepare-worktree.ts'
import { agentReady, registerAgent } from '../../src/board/register.ts'
import type { Task } from '../../src/domain/task.ts'
import { openRepository } from '../../src/worktrees/repository.ts'
import { beginRepository, commitFiles } from '../../src/worktrees/test-repository.ts'
import type { Troupe } from './start-troupe.ts'
import { withoutCommands } from '../../src/board/test-board.ts'

/** Who plans by hand. */
export const planner = { human: 'ann' }

/** A board in the store of a running server, for the repository it stands in, and hands to move it with. */
export async function setBoard(troupe: Troupe): Promise<Desk> {
  const repository = await setRepository(troupe.workspace)
  const driver = await troupe.openStore()
  const goal = 'Page every list of the API by 50, with a cursor'
  const board = await initBoard(driver, repository, { goal, spec_ref: 'specs/paging.md' }, 'ann')
  return { driver, board_id: board.id, repository, ...withoutCommands }
}

/** A repository with a spec and a little code in a folder. */
export async function setRepository(folder: string) {
  const files = {
    'specs/paging.md': '# Paging\n\nEvery list gives 50 items and a cursor.\n\n# Errors\n\nA bad cursor answers 400.\n',
    'src/users.ts': "import { all } from './db.ts'\n\nexport function listUsers() {\n  return all('users')\n}\n",
    'README.md': '# Shop\n',
  }
  await beginRepository(folder, files)
  return openRepository(folder)
}

/** A task that passes every gate; approved too, unless it is to wait. */
export async function plan(desk: Desk, request: AddRequest & { id: string }, approved = true): Promise<Task> {
  const whole = {
    spec_ref: 'specs/paging.md#paging',
    done_when: 'GET returns 50 items and a cursor',
    scope: 'IN: paging. OUT: sorting',
    ...request,
  }
  await addTask(desk, planner, whole)
  const task = await finalizeTask(desk, planner, request.id)
  if (approved) await approvePlan(desk, 'ann', [request.id])
  return task
}

/** A registered agent that is ready for work. */
export async function joinTeam(desk: Desk, id: string): Promise<Identity> {
  const identity = await registerAgent(desk, { id })
  await agentReady(desk, identity)
  return identity
}

/** Claims a task and commits a file to its branch. */
export async function code(desk: Desk, coder: Identity, task: string, file: string, text: string): Promise<string> {
  await claimTask(desk, coder, task)
  return commitFiles(placeOf(desk.repository.root, { id: task }).path, { [file]: text }, `Work on ${task}`)
}
