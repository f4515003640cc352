import { lastEvent } from '../domain/board/event.ts'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { perform } from '../domain/operation.ts'
import { isFinal } from '../domain/flow.ts'
import { Problem } from '../domain/problem.ts'
import { taskFlow, type TaskState } from '../domain/board/task-flow.ts'
import { boardViolations } from '../domain/board/validate.ts'
import { assertNone } from '../sandbox/test-none.ts'
import { gitText } from '../worktrees/repository.ts'
import { blockTask } from './task/block.ts'
import { claimWithWorktree } from './task/claim.ts'
import { unmetOf } from './task/dependencies.ts'
import type { Identity } from './context.ts'
import { heartbeat } from './agent/heartbeat.ts'
import { leaveBoard } from './agent/register.ts'
import { mergeWork } from './task/merge.ts'
import { claimReview } from './task/review.ts'
import { boardState } from './view/state.ts'
import { submitTask } from './task/submit/submit.ts'
import { abandonTask, supersedeTask } from './task/supersede.ts'
import { anApproval, ann, aRejection, testBoard, type TestBoard } from './test-board.ts'
import { unblockTask } from './task/unblock.ts'
import { lastBlockers, recordVerdict } from './task/verdict.ts'

const names = ['coder-1', 'coder-2', 'code-reviewer-1', 'planner-1']
// oxfmt-ignore
const verbs = ['claim', 'submit', 'block', 'review', 'approve', 'reject', 'merge', 'unblock', 'supersede', 'abandon', 'beat', 'leave', 'die', 'sneak'] as const
type Verb = (typeof verbs)[number]

/** What usually comes next, so that the walk gets somewhere. */
// oxfmt-ignore
const usual: Readonly<Partial<Record<TaskState, readonly (readonly [Verb, string])[]>>> = {
  DRAFT:              [['abandon', 'planner-1']],
  UNCLAIMED:          [['claim', 'coder-1'], ['claim', 'coder-2'], ['claim', 'coder-1'], ['supersede', 'planner-1']],
  CLAIMED:            [['submit', 'holder'], ['submit', 'holder'], ['submit', 'holder'], ['block', 'holder'], ['die', 'holder']],
  READY_FOR_REVIEW:   [['review', 'code-reviewer-1'], ['approve', 'code-reviewer-1'], ['approve', 'code-reviewer-1'], ['reject', 'code-reviewer-1']],
  REJECTED:           [['claim', 'holder'], ['claim', 'coder-2']],
  APPROVED:           [['merge', 'code-reviewer-1'], ['merge', 'code-reviewer-1'], ['sneak', 'holder']],
  INTEGRATION_FAILED: [['claim', 'coder-1'], ['abandon', 'planner-1']],
  BLOCKED:            [['unblock', 'planner-1'], ['supersede', 'planner-1']],
  MERGED:             [['merge', 'code-reviewer-1']],
  SUPERSEDED:         [['claim', 'coder-1']],
  ABANDONED:          [['claim', 'coder-1']],
}

test('[B52] whatever anyone tries in whatever order, every board in between is valid and nothing unapproved is merged', async (t) => {
  const step = fc.record({
    wild: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    pick: fc.nat(99),
    verb: fc.constantFrom(...verbs),
    who: fc.constantFrom(...names),
    task: fc.oneof({ weight: 3, arbitrary: fc.constant('task-1') }, fc.constantFrom('task-2', 'task-3')),
  })

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 50 }), async (steps) => {
      const walk = await startWalk(t)
      for (const { wild, pick, verb, who, task } of steps) {
        const [next, by] = wild ? ([verb, who] as const) : await sensible(walk.board, task, pick)
        await attempt(walk, next, by, task)
      }
      await checkHistory(walk.board)
    }),
    { numRuns: 8, endOnFailure: true },
  )
})

async function sensible(board: TestBoard, id: string, pick: number): Promise<readonly [Verb, string]> {
  const { status, assigned_to } = await board.task(id)
  const options = usual[status] ?? []
  const [verb, who] = options[pick % options.length] ?? ['beat', 'coder-1']
  return [verb, who === 'holder' ? (assigned_to ?? 'coder-1') : who]
}

interface Walk {
  board: TestBoard
  agents: Map<string, Identity>
}

async function startWalk(t: TestContext): Promise<Walk> {
  const board = await testBoard(t, { config: { max_review_cycles: 2, max_coder_iterations: 4 } })
  const agents = new Map<string, Identity>()
  for (const name of names) agents.set(name, await board.agent(name))
  await board.ready()
  await board.ready({ depends_on: ['task-1'] })
  await board.ready({ priority: 2 })
  return { board, agents }
}

/** A refusal is an answer; anything else that is thrown, and any state that is not sound, is a fault of ours. */
async function attempt(walk: Walk, verb: Verb, who: string, task: string): Promise<void> {
  try {
    await act(walk, verb, who, task)
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'internal') throw error
  }
  await checkSound(walk.board)
}

async function act({ board, agents }: Walk, verb: Verb, who: string, id: string): Promise<unknown> {
  const me = agents.get(who)
  assert.ok(me)
  const why = { reason: 'random', root_cause: 'chance' }
  const commit = (await board.task(id)).review_commit ?? 'a'.repeat(40)
  const spec_hash = (await board.task(id)).spec_hash
  const prior_findings = (await lastBlockers(board.driver, await board.task(id))).map((blocker) => ({
    id: blocker.id,
    status: 'RESOLVED',
  }))
  const acts = {
    claim: () => claimWithWorktree(board, me, who === 'coder-2' ? id : undefined),
    submit: async () => submitTask(board, me, id, isThere(board, id) ? await board.work(id, `${id}-${Math.random()}.txt`, 'x') : commit),
    block: () => blockTask(board, me, id, { blocked_reason: 'cannot be done so', blocked_questions: ['How then?'] }),
    review: () => claimReview(board, me, id),
    approve: () => recordVerdict(board, me, id, anApproval(commit, spec_hash, { prior_findings })),
    reject: () => recordVerdict(board, me, id, aRejection(commit, { prior_findings })),
    merge: () => mergeWork(board, me, id),
    unblock: () => unblockTask.run({ ...board, actor: me }, { task: id, answer: 'so', scope: `IN: ${Math.random()}` }),
    supersede: () => {
      const depends_on = ['task-1', 'task-2', 'task-3'].filter(() => Math.random() < 0.2)
      const replacements = [{ description: 'x', done_when: 'returns 1', scope: 'IN: x', depends_on }]
      return perform(supersedeTask, { ...board, actor: me }, { task: id, ...why, replacements })
    },
    abandon: () => perform(abandonTask, { ...board, actor: ann }, { task: id, ...why }),
    sneak: async () => isThere(board, id) && (await board.work(id, `late-${Math.random()}.txt`, 'x')),
    beat: () => heartbeat(board, me),
    leave: async () => {
      await leaveBoard(board, me, 'random')
      agents.set(who, await board.agent(who))
    },
    die: async () => {
      await board.expire(who)
      agents.set(who, await board.agent(who))
    },
  }
  return acts[verb]()
}

function isThere({ repository }: TestBoard, id: string): boolean {
  return existsSync(join(repository.root, '.troupe/worktrees', id, '.git'))
}

async function checkSound(board: TestBoard): Promise<void> {
  const { root } = board.repository
  const there = (path: string) => existsSync(join(root, path))
  const broken = boardViolations(await boardState(board), { now: new Date(), specExists: there, folderExists: there })
  assertNone(broken, ({ severity }) => severity === 'error')
  for (const id of ['task-1', 'task-2', 'task-3']) {
    const task = await board.task(id)
    if (!isFinal(taskFlow, task.status)) assert.equal(task.unmet, await unmetOf(board.driver, task), `unmet of ${id}`)
  }
}

/** Every step of every history is a move of the table, and the branch holds the approved commits and nothing else. */
async function checkHistory(board: TestBoard): Promise<void> {
  const merges = (await gitText(board.repository.root, ['rev-list', '--first-parent', '--merges', '--parents', 'integration']))
    .split('\n')
    .filter(Boolean)
  const merged: string[] = []
  for (const id of ['task-1', 'task-2', 'task-3']) {
    const { status, history, review_commit } = await board.task(id)
    assert.ok(taskFlow.states.includes(status))
    const events = history.map(({ event }) => event)
    if (status !== 'MERGED') continue
    merged.push(review_commit ?? '')
    const approved = lastEvent(history, 'approved')
    assert.deepEqual([approved?.commit, events.at(-1)], [review_commit, 'merged'])
  }
  assert.deepEqual(new Set(merges.map((line) => line.split(' ')[2])), new Set(merged))
}
