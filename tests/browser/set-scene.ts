import { perform } from '../../src/domain/operation.ts'
import { addTask } from '../../src/board/task/add.ts'
import { blockTask } from '../../src/board/task/block.ts'
import { claimWithWorktree } from '../../src/board/task/claim.ts'
import type { BoardWorkspace, Identity } from '../../src/board/context.ts'
import { mergeWork } from '../../src/board/task/merge.ts'
import { logAnomaly } from '../../src/board/view/report.ts'
import { claimReview } from '../../src/board/task/review.ts'
import { ann, aRejection, type TestBoard } from '../../src/board/test-board.ts'
import { recordVerdict } from '../../src/board/task/verdict.ts'
import { Run } from '../../src/domain/run.ts'
import { runs } from '../../src/store/tables.ts'
import { plan, setBoard } from './set-board.ts'
import type { Troupe } from './start-troupe.ts'

/** Sets a board up and plays on it up to the middle of its work. */
export async function setTheScene(troupe: Troupe): Promise<void> {
  await playScene(await setBoard(troupe))
}

/** A board in the middle of its work: something in nearly every state. */
export async function playScene(desk: TestBoard): Promise<void> {
  const [one, two, three] = [await desk.agent('coder-1'), await desk.agent('coder-2'), await desk.agent('coder-3')]
  const reviewer = await desk.agent('code-reviewer-1')
  await plan(desk, { id: 'cursor', description: 'Encode and decode an opaque cursor, with tests of a damaged one' })
  await desk.submitted(one, 'cursor', 'src/cursor.ts', 'export const cursor = 1\n')
  await desk.approved(reviewer, 'cursor')
  await played(desk, 'coder-1', 'cursor', 182_000)
  await mergeWork(desk, reviewer, 'cursor')
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
  await perform(addTask, { ...desk, actor: ann }, { id: 'limits', description: 'Refuse a page size above 200' })
  await rejected(desk, one, reviewer)
  await claimWithWorktree(desk, two, 'orders')
  await blockTask(desk, two, 'orders', {
    blocked_reason: 'The spec gives two orders for the same list.',
    blocked_questions: ['Are orders paged by date or by number?', 'What comes first?'],
    attempted: ['Read specs/paging.md', 'Looked at the old client'],
  })
  await claimWithWorktree(desk, two, 'invoices')
  await desk.work('invoices', 'src/invoices.ts', 'export const invoices = []\n')
  await played(desk, 'coder-2', 'invoices', 61_000, 'running')
  await plan(desk, { id: 'health', description: 'Answer /healthz with the version' })
  await desk.submitted(three, 'health', 'src/health.ts', 'export const health = { ok: true }\n')
  await claimReview(desk, reviewer, 'health')
  await perform(
    logAnomaly,
    { ...desk, actor: one },
    {
      task: 'users',
      type: 'assumption_violated',
      details: { assumption: 'ids grow', reality: 'ids are random, so they cannot order a page' },
    },
  )
}

async function rejected(desk: TestBoard, coder: Identity, reviewer: Identity): Promise<void> {
  const text = "import { page } from './cursor.ts'\n\nexport function listUsers(cursor: string) {\n  return page('users', cursor, 100)\n}\n"
  const { review_commit } = await desk.submitted(coder, 'users', 'src/users.ts', text)
  await claimReview(desk, reviewer, 'users')
  const blocker = {
    file: 'src/users.ts',
    location: '4',
    criterion: 'done_when',
    defect: 'The page holds 100 items, but 50 are wanted.',
    fix: 'Take the size from PAGE_SIZE in src/cursor.ts.',
    anomaly_logged: false,
  }
  const concerns = ['The name listUsers hides that it pages.']
  await recordVerdict(desk, reviewer, 'users', aRejection(review_commit ?? '', { blockers: [blocker], concerns }))
  await played(desk, 'coder-1', 'users', 97_000)
  await played(desk, 'code-reviewer-1', 'users', 31_000)
}

/** What an agent's turns on a task came to. */
export async function played(
  board: BoardWorkspace,
  agent: string,
  task: string,
  cost_microusd: number,
  status: Run['status'] = 'completed',
): Promise<void> {
  const at = (await board.driver.now()).toISOString()
  const role = agent.startsWith('coder') ? 'coder' : 'code_reviewer'
  const run = Run.parse({
    id: `run_${crypto.randomUUID()}`,
    thread_id: `${board.board_id}/${task}/${agent}/1`,
    agent_role: role,
    permissions: [],
    ceiling: [],
    model: 'anthropic/claude-sonnet',
    workspace: board.repository.root,
    status,
    turns: 12,
    usage: { input_tokens: 40_000, output_tokens: 3_000, cost_microusd },
    limits: {},
    started_at: at,
    ended_at: status === 'running' ? null : at,
  })
  await runs.add(board.driver, run)
}
