import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { perform } from '../domain/operation.ts'
import { boardKey, type BoardConfig } from '../domain/board/board.ts'
import { Problem } from '../domain/problem.ts'
import type { Task, TaskPlan } from '../domain/board/task.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import type { Driver } from '../store/driver.ts'
import { openTestStore } from '../store/test-store.ts'
import { boardAgents, boards, tasks } from '../store/tables.ts'
import { agentAuthor, commitAll } from '../worktrees/commit.ts'
import { commitOf, gitText } from '../worktrees/repository.ts'
import { makeTestRepository } from '../worktrees/test-repository.ts'
import { addTask } from './task/add.ts'
import { approvePlan } from './task/approve-plan.ts'
import { claimWithWorktree } from './task/claim.ts'
import type { BoardContext, BoardWorkspace, Identity } from './context.ts'
import { finalizeTask } from './task/finalize.ts'
import { beginGoal } from './goal/init.ts'
import { placeOf } from './worktree/prepare.ts'
import { agentReady, registerAgent } from './agent/register.ts'
import { claimReview } from './task/review.ts'
import { submitTask } from './task/submit/submit.ts'
import { recordVerdict } from './task/verdict.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

/** For boards where no command runs. */
export const withoutCommands = {
  sandbox: { kind: 'none', reason: 'not needed here', fix: 'none' },
  commands: commandSettingsWith(),
} as const

/** The person of the tests. */
export const ann = { human: 'ann' }

/** A board on a real repository and a real store, and the steps most tests begin with. */
export interface TestBoard extends BoardWorkspace, BoardContext {
  agent(id: string): Promise<Identity>
  /** Adds, finalizes and approves a task. */
  ready(plan?: Partial<TaskPlan> & { id?: string }): Promise<Task>
  task(id: string): Promise<Task>
  /** Writes into the record of a task, past every rule. */
  put(id: string, changes: Partial<Task>): Promise<void>
  /** Lets the lease of an agent and of all it holds run out, as if it had died long ago. */
  expire(agent: string): Promise<void>
  /** Writes a file into the worktree of a task and commits it. */
  work(task: string, file: string, text: string): Promise<string>
  /** Claims, works and submits. */
  submitted(coder: Identity, task: string, file?: string, text?: string): Promise<Task>
  /** Claims a review and approves what it finds. */
  approved(reviewer: Identity, task: string): Promise<Task>
}

export interface TestBoardOptions {
  config?: Partial<BoardConfig>
  open?: (t: Cleanup) => Promise<Driver>
  /** What the task says that a board begins with. */
  description?: string
}

export async function testBoard(t: Cleanup, { config = {}, open = openTestStore }: TestBoardOptions = {}): Promise<TestBoard> {
  const driver = await open(t)
  const repository = await makeTestRepository(t, { 'a.txt': 'one\n', 'spec.md': '# Users\n\nList them.\n\n# Orders\n\nCount them.\n' })
  const board = await beginGoal(driver, repository, { goal: 'List the users', spec_ref: 'spec.md', config }, 'ann')
  return withSteps({ driver, board_id: board.id, repository, ...withoutCommands })
}

/** A board with one task, task-1, that waits to be claimed. */
export async function readyBoard(t: Cleanup, options: TestBoardOptions = {}): Promise<TestBoard> {
  const board = await testBoard(t, options)
  await board.ready(options.description === undefined ? {} : { description: options.description })
  return board
}

/** A board whose one task is in the hands of coder-1. */
export async function claimedBoard(t: Cleanup, options?: TestBoardOptions): Promise<{ board: TestBoard; coder: Identity }> {
  const board = await readyBoard(t, options)
  const coder = await board.agent('coder-1')
  await claimWithWorktree(board, coder)
  return { board, coder }
}

/** A board whose one task coder-1 has submitted, and a reviewer who gives verdicts on it. */
export async function submittedBoard(t: Cleanup, options?: TestBoardOptions) {
  const board = await readyBoard(t, options)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  const { review_commit } = await board.submitted(coder, 'task-1')
  const give = (verdict: unknown) => recordVerdict(board, reviewer, 'task-1', verdict)
  return { board, coder, reviewer, commit: review_commit ?? '', give }
}

/** The same under review, and what it is held against. */
export async function reviewedBoard(t: Cleanup, options?: TestBoardOptions) {
  const submitted = await submittedBoard(t, options)
  const review = await claimReview(submitted.board, submitted.reviewer)
  return { ...submitted, spec_hash: review?.spec_hash ?? null }
}

/** The same once it is approved. */
export async function approvedBoard(t: Cleanup, options?: TestBoardOptions) {
  const submitted = await submittedBoard(t, options)
  await submitted.board.approved(submitted.reviewer, 'task-1')
  return submitted
}

/** Gives a board a remote that other machines may share. */
export async function shareAtRemote(t: Cleanup, { repository, driver, board_id }: BoardWorkspace): Promise<string> {
  const root = join(await testFolder(t), 'shared.git')
  await gitText(repository.root, ['clone', '--quiet', '--bare', repository.root, root])
  await gitText(repository.root, ['remote', 'add', 'origin', root])
  const was = await boards.get(driver, board_id)
  await boards.replace(driver, was, { ...was.item, remote_url: root, config: { ...was.item.config, remote: 'origin' } })
  return root
}

/** A person commits another text of the spec on the base branch, or takes it away. */
export async function commitSpec({ repository }: Pick<BoardWorkspace, 'repository'>, text: string | null): Promise<void> {
  const file = join(repository.root, 'spec.md')
  if (text === null) await rm(file)
  else await writeFile(file, text)
  await commitAll(repository.root, 'Change the spec', agentAuthor('coder-1'))
  if ((await gitText(repository.root, ['remote'])) !== '') await gitText(repository.root, ['push', '--quiet', 'origin', 'HEAD'])
}

/** A rejection that the schema accepts. */
export function aRejection(review_commit: string, over: object = {}) {
  const blocker = {
    file: 'a.txt',
    location: '1',
    criterion: 'done_when',
    defect: 'The list is not printed.',
    fix: 'Print the list of users.',
    anomaly_logged: false,
  }
  return { verdict: 'REJECTED', review_commit, blockers: [blocker], ...over }
}

/** An approval that the schema accepts. */
export function anApproval(review_commit: string, spec_hash: string | null, over: object = {}) {
  return {
    verdict: 'APPROVED',
    review_commit,
    spec_hash,
    criteria: [{ criterion: 'done_when', evidence: 'a.txt lists the users' }],
    ...over,
  }
}

const usualPlan = {
  description: 'List the users',
  spec_ref: 'spec.md#users',
  done_when: 'a.txt lists 2 users',
  scope: 'IN: the list',
}

/** The same for a board that is there already. */
export function withSteps(board: BoardWorkspace): TestBoard {
  const { driver, board_id, repository } = board

  async function agent(id: string): Promise<Identity> {
    const identity = await registerAgent(board, { id })
    await agentReady(board, identity)
    return identity
  }

  async function ready(plan: Partial<TaskPlan> & { id?: string } = {}): Promise<Task> {
    const { id } = await perform(addTask, { ...board, actor: ann }, { ...usualPlan, ...plan })
    await perform(finalizeTask, { ...board, actor: ann }, { task: id })
    await perform(approvePlan, { ...board, actor: { human: 'ann' } }, { tasks: [id] })
    return task(id)
  }

  async function task(id: string): Promise<Task> {
    return (await tasks.get(driver, boardKey({ board_id, id }))).item
  }

  async function put(id: string, changes: Partial<Task>): Promise<void> {
    const was = await tasks.get(driver, boardKey({ board_id, id }))
    await tasks.replace(driver, was, { ...was.item, ...changes })
  }

  async function work(id: string, file: string, text: string): Promise<string> {
    const { path } = placeOf(repository.root, { id })
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), text)
    await commitAll(path, `Work on ${id}`, agentAuthor('coder-1'))
    return commitOf(path, 'HEAD')
  }

  async function submitted(coder: Identity, id: string, file = `${id}.txt`, text = 'users\n'): Promise<Task> {
    await claimWithWorktree(board, coder, id)
    return submitTask(board, coder, id, await work(id, file, text))
  }

  async function approved(reviewer: Identity, id: string): Promise<Task> {
    const review = await claimReview(board, reviewer, id)
    if (review === null) throw new Problem('internal', `${id} was not there to be reviewed`)
    return recordVerdict(board, reviewer, id, anApproval(review.task.review_commit ?? '', review.spec_hash))
  }

  return { ...board, actor: ann, agent, ready, task, put, work, submitted, approved, expire: (id) => expireAt(board, id) }
}

/** An agent whose process is gone, and whose lease has run out. */
async function expireAt({ driver, board_id }: BoardWorkspace, id: string): Promise<void> {
  const past = new Date(0).toISOString()
  await driver.transaction(async (tx) => {
    const agent = await boardAgents.get(tx, boardKey({ board_id, id }))
    await boardAgents.replace(tx, agent, { ...agent.item, lease_expires: past })
    for (const was of await tasks.list(tx, { where: { board_id } })) {
      const { assigned_to, lease_expires, reviewing_by, review_lease_expires } = was.item
      await tasks.replace(tx, was, {
        ...was.item,
        lease_expires: assigned_to === id && lease_expires !== null ? past : lease_expires,
        review_lease_expires: reviewing_by === id ? past : review_lease_expires,
      })
    }
  })
}
