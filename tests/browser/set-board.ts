import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { addTask, type AddRequest } from '../../src/board/add.ts'
import { approvePlan } from '../../src/board/approve-plan.ts'
import { blockTask } from '../../src/board/block.ts'
import { claimTask } from '../../src/board/claim.ts'
import type { Desk, Identity } from '../../src/board/desk.ts'
import { finalizeTask } from '../../src/board/finalize.ts'
import { initBoard } from '../../src/board/init.ts'
import { mergeTask } from '../../src/board/merge.ts'
import { placeOf } from '../../src/board/prepare-worktree.ts'
import { agentReady, registerAgent } from '../../src/board/register.ts'
import { reportAnomaly } from '../../src/board/report.ts'
import { claimReview } from '../../src/board/review.ts'
import { submitTask } from '../../src/board/submit.ts'
import { anApproval, aRejection } from '../../src/board/test-board.ts'
import { submitVerdict } from '../../src/board/verdict.ts'
import type { Task } from '../../src/domain/task.ts'
import { Run } from '../../src/domain/run.ts'
import { openStore } from '../../src/store/open.ts'
import { runs } from '../../src/store/tables.ts'
import { agentAuthor, commitAll } from '../../src/worktrees/commit.ts'
import { commitOf, gitText, openRepository } from '../../src/worktrees/repository.ts'
import type { Troupe } from './open-troupe.ts'

export const planner = { human: 'ann' }

/** A board in the store of a running server, for the repository it stands in, and hands to move it with. */
export async function setBoard(t: Pick<TestContext, 'after'>, troupe: Troupe): Promise<Desk> {
  const repository = await setRepository(troupe.workspace)
  const driver = await openStore(`sqlite:${join(troupe.home, 'troupe', 'troupe.db')}`)
  t.after(() => driver.close())
  const goal = 'Page every list of the API by 50, with a cursor'
  const board = await initBoard(driver, repository, { goal, spec_ref: 'specs/paging.md' }, 'ann')
  return { driver, board_id: board.id, repository, sandbox: { kind: 'none', reason: 'not needed here', fix: 'none' } }
}

/** A repository with a spec and a little code in a folder. */
export async function setRepository(folder: string) {
  const files = {
    'specs/paging.md': '# Paging\n\nEvery list gives 50 items and a cursor.\n\n# Errors\n\nA bad cursor answers 400.\n',
    'src/users.ts': "import { all } from './db.ts'\n\nexport function listUsers() {\n  return all('users')\n}\n",
    'README.md': '# Shop\n',
  }
  await gitText(folder, ['init', '--quiet', '--initial-branch=main'])
  for (const [name, text] of Object.entries(files)) await put(folder, name, text)
  await commitAll(folder, 'Start', agentAuthor('ann'))
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
  const { path } = placeOf(desk.repository.root, { id: task })
  await put(path, file, text)
  await commitAll(path, `Work on ${task}`, agentAuthor(coder.agent))
  return commitOf(path, 'HEAD')
}

async function put(root: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true })
  await writeFile(join(root, name), text)
}

/** What an agent's turns on a task came to. */
export async function played(
  desk: Desk,
  agent: string,
  task: string,
  cost_microusd: number,
  status: Run['status'] = 'completed',
): Promise<void> {
  const at = (await desk.driver.now()).toISOString()
  const role = agent.startsWith('coder') ? 'coder' : 'code_reviewer'
  const run = Run.parse({
    id: `run_${crypto.randomUUID()}`,
    thread_id: `${desk.board_id}/${task}/${agent}/1`,
    agent_role: role,
    permissions: [],
    ceiling: [],
    model: 'anthropic/claude-sonnet',
    workspace: desk.repository.root,
    status,
    turns: 12,
    usage: { input_tokens: 40_000, output_tokens: 3_000, cost_microusd },
    limits: {},
    started_at: at,
    ended_at: status === 'running' ? null : at,
  })
  await runs.add(desk.driver, run)
}

/** A board in the middle of its work: something in nearly every state. */
export async function setTheScene(desk: Desk): Promise<void> {
  const [one, two, three] = [await joinTeam(desk, 'coder-1'), await joinTeam(desk, 'coder-2'), await joinTeam(desk, 'coder-3')]
  const reviewer = await joinTeam(desk, 'code-reviewer-1')
  await plan(desk, { id: 'cursor', description: 'Encode and decode an opaque cursor, with tests of a damaged one' })
  await merge(desk, one, reviewer, 'cursor', 'src/cursor.ts')
  await plan(desk, { id: 'users', description: 'Page GET /users by 50', depends_on: ['cursor'] })
  await plan(desk, { id: 'orders', description: 'Page GET /orders by 50', depends_on: ['cursor'] })
  await plan(desk, { id: 'invoices', description: 'Page GET /invoices by 50, oldest first', depends_on: ['cursor'], priority: 2 })
  await plan(desk, {
    id: 'client',
    description: 'Let the client follow cursors until the last page',
    depends_on: ['users', 'orders'],
    priority: 2,
  })
  await plan(
    desk,
    { id: 'docs', description: 'Describe paging in the API guide', kind: 'doc', depends_on: ['client', 'invoices'], priority: 3 },
    false,
  )
  await plan(desk, { id: 'metrics', description: 'Count pages per list and print them on /metrics', priority: 3 }, false)
  await addTask(desk, planner, { id: 'limits', description: 'Refuse a page size above 200' })
  await rejected(desk, one, reviewer)
  await claimTask(desk, two, 'orders')
  await blockTask(desk, two, 'orders', {
    blocked_reason: 'The spec gives two orders for the same list.',
    blocked_questions: ['Are orders paged by date or by number?', 'What comes first?'],
    attempted: ['Read specs/paging.md', 'Looked at the old client'],
  })
  await code(desk, two, 'invoices', 'src/invoices.ts', 'export const invoices = []\n')
  await played(desk, 'coder-2', 'invoices', 61_000, 'running')
  await plan(desk, { id: 'health', description: 'Answer /healthz with the version' })
  const commit = await code(desk, three, 'health', 'src/health.ts', 'export const health = { ok: true }\n')
  await submitTask(desk, three, 'health', commit)
  await claimReview(desk, reviewer, 'health')
  await reportAnomaly(desk, one, {
    task: 'users',
    type: 'assumption_violated',
    details: { assumption: 'ids grow', reality: 'ids are random, so they cannot order a page' },
  })
}

async function merge(desk: Desk, coder: Identity, reviewer: Identity, task: string, file: string): Promise<void> {
  const commit = await code(desk, coder, task, file, 'export const cursor = 1\n')
  await submitTask(desk, coder, task, commit)
  const review = await claimReview(desk, reviewer, task)
  await submitVerdict(desk, reviewer, task, anApproval(commit, review?.spec_hash ?? null))
  await played(desk, 'coder-1', task, 182_000)
  await mergeTask(desk, reviewer, task)
}

async function rejected(desk: Desk, coder: Identity, reviewer: Identity): Promise<void> {
  const text = "import { page } from './cursor.ts'\n\nexport function listUsers(cursor: string) {\n  return page('users', cursor, 100)\n}\n"
  const commit = await code(desk, coder, 'users', 'src/users.ts', text)
  await submitTask(desk, coder, 'users', commit)
  await claimReview(desk, reviewer, 'users')
  const blocker = {
    file: 'src/users.ts',
    location: '4',
    criterion: 'done_when',
    defect: 'The page holds 100 items, but 50 are wanted.',
    fix: 'Take the size from PAGE_SIZE in src/cursor.ts.',
    anomaly_logged: false,
  }
  await submitVerdict(
    desk,
    reviewer,
    'users',
    aRejection(commit, { blockers: [blocker], concerns: ['The name listUsers hides that it pages.'] }),
  )
  await played(desk, 'coder-1', 'users', 97_000)
  await played(desk, 'code-reviewer-1', 'users', 31_000)
}
