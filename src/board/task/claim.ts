import * as z from 'zod'
import { claimEvents } from '../../domain/board/event.ts'
import type { Board, BoardConfig } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import { TaskId, TaskRecord, worktreeOf, type Task, type TaskEntry, type TaskClaim, type TaskChange } from '../../domain/board/task.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { tasks } from '../../store/tables.ts'
import { isInTheWay } from '../../worktrees/worktree.ts'
import { recordActivity } from '../activity.ts'
import { whyNotClaimable, chooseCandidate, findCandidates, type ClaimCandidates } from './candidates.ts'
import { type BoardWorkspace, type Identity, type BoardRef, needIdentity, type RecordsContext } from '../context.ts'
import { beginGoalStep } from '../find.ts'
import { leaseFrom } from '../../domain/lease.ts'
import { holdForLimit } from '../goal/limits.ts'
import { freeAgent, moveAgent, moveTask, withoutApproval, type TaskStep } from './move.ts'
import { placeOf, prepareWorktree } from '../worktree/prepare.ts'
import { messagesFor, TaskMessages } from './messages.ts'
import { integrationNow } from '../goal/take-in.ts'

/** A coder is given work; it never takes it on its own. */
export const claimTask = defineOperation({
  name: 'board.claim_task',
  summary: 'Give a coder the next task, or the one that is named',
  by: ['coder'],
  effect: 'change',
  command: 'board claim [task]',
  input: z.strictObject({ task: TaskId.optional() }),
  output: TaskRecord.extend({ ...TaskMessages.shape, path: z.string().describe('where its worktree is') }).nullable(),
  example: {},
  absent: { agent: 'the supervising process claims for its agents', mcp: 'next_assignment claims for the agent that asks' },
  tell: (task) => (task === null ? 'Nothing can be claimed now.' : `${task.id} is ${task.status} by ${task.assigned_to}`),
  run: async (context: BoardWorkspace & RecordsContext, { task: wanted }) => {
    const task = await claimWithWorktree(context, needIdentity(context.actor), wanted)
    return task === null ? null : { ...task, ...(await messagesFor(context, task)), path: placeOf(context.repository.root, task).path }
  },
})

/**
 * Claims the next task for a coder, or the one that is named, and makes its worktree. The supervising process calls this;
 * a coder never claims. Null when there is nothing to claim.
 */
export async function claimWithWorktree(board: BoardWorkspace, identity: Identity, wanted?: string): Promise<Task | null> {
  const base = await integrationNow(board)
  if (wanted === undefined) return claimNext(board, identity, base)
  const task = await takeTask(board, identity, base, wanted)
  return task === null ? null : prepareWorktree(board, identity, task, true)
}

/** A task whose worktree something stands in the way of must not keep a coder from the next one; when none is left, that is the answer. */
async function claimNext(board: BoardWorkspace, identity: Identity, base: string): Promise<Task | null> {
  const passed: string[] = []
  let refusal: Problem | null = null
  for (;;) {
    const task = await takeTask(board, identity, base, undefined, passed)
    if (task === null && refusal !== null) throw refusal
    if (task === null) return null
    try {
      return await prepareWorktree(board, identity, task, true)
    } catch (error) {
      if (!isInTheWay(error)) throw error
      refusal ??= error
      passed.push(task.id)
    }
  }
}

/** The claim itself: one transaction, in which the task is found, judged and taken. */
export async function takeTask(
  board: BoardRef,
  identity: Identity,
  base: string,
  wanted?: string,
  passed: readonly string[] = [],
): Promise<Task | null> {
  const taken = await board.driver.transaction((tx) => findAndTake(tx, board.board_id, identity, base, passed, wanted))
  if (taken !== 'held') return taken
  throw new Problem('conflict', `${wanted} has used up its iterations and is now BLOCKED; the planner has to look at it`)
}

/** A task at its limit of iterations is blocked instead of taken once more, and the next one is looked at. */
async function findAndTake(
  tx: Driver,
  boardId: string,
  identity: Identity,
  base: string,
  passed: readonly string[],
  wanted?: string,
): Promise<Task | null | 'held'> {
  const look = await findCandidates(tx, 'task', boardId, identity, wanted, passed)
  const { board, agent, now } = look
  const { role, current_task } = agent.item
  if (role !== 'coder') throw new Problem('forbidden', `${identity.agent} may not claim a task: tasks are claimed for coders only`)
  if (current_task !== null)
    throw new Problem('conflict', `${identity.agent} is still at ${current_task}; it has to be handed in, blocked or released first`)
  refuseSignal(board.item)
  const was = await chooseCandidate(tx, look, (task) => whyNotClaimable(task, identity, now), wanted)
  if (was === undefined) return null
  if (wanted !== undefined) await refuseUnfinished(tx, boardId, identity.agent, wanted)
  if (!(await holdForLimit(tx, board.item, was))) return take(tx, look, was, identity, base)
  return wanted === undefined ? findAndTake(tx, boardId, identity, base, passed) : 'held'
}

async function take(
  tx: Driver,
  { board, agent, now }: ClaimCandidates,
  was: Stored<Task>,
  identity: Identity,
  base: string,
): Promise<Task> {
  const step = { ...claimStep(was.item, identity.agent), now }
  const taken = await moveTask(tx, was, step, claimed(was.item, identity, base, now, board.item.config))
  // Whoever held it until its lease ran out finds itself free at its next heartbeat.
  if (was.item.status === 'CLAIMED') await freeAgent(tx, was.item, was.item.assigned_to)
  const { iteration, lease_expires } = taken.item
  await moveAgent(tx, agent, 'work', {
    current_task: was.item.id,
    lease_expires: lease_expires ?? agent.item.lease_expires,
    heartbeat: now.toISOString(),
    iterations_total: agent.item.iterations_total + 1,
  })
  const from = previousCoder(was.item, identity.agent)
  const detail = `${from === null ? step.event : `reassigned from ${from}`}, iteration ${iteration}`
  await recordActivity(tx, board.item.id, { agent: identity.agent, action: 'claimed', task: was.item.id, detail })
  return taken.item
}

/** Nobody starts anything while the team is to stand still. */
export function refuseSignal({ signal }: Pick<Board, 'signal'>): void {
  if (signal === null) return
  const over = signal.name === 'ABORT'
  throw new Problem('needs_person', `the board is under ${signal.name} since ${signal.since} by ${signal.by}`, {
    details: { signal },
    next: [over ? beginGoalStep : { operation: 'board.resume' }],
  })
}

/** A coder that died and came back is free by its own entry, while its task is still its own. */
async function refuseUnfinished(tx: Driver, board_id: string, coder: string, wanted: string): Promise<void> {
  const held = await tasks.list(tx, { where: { board_id, assigned_to: coder, status: 'CLAIMED' } })
  const left = held.find(({ item }) => item.id !== wanted)?.item
  if (left) throw new Problem('conflict', `${coder} left ${left.id} unfinished; that has to be taken up again or released first`)
}

function claimStep(task: TaskEntry & TaskClaim, coder: string): TaskStep {
  const previous = previousCoder(task, coder)
  const claim = {
    move: 'claim',
    by: { role: 'supervisor', id: coder },
    about: previous === null ? {} : { previous_assignee: previous },
  } as const
  if (task.status === 'CLAIMED') {
    const event = task.handoff_pending ? 'reclaimed_after_handoff' : 'reclaimed_after_expiry'
    return { ...claim, move: 'reclaim', event }
  }
  if (task.status === 'INTEGRATION_FAILED') return { ...claim, event: 'claimed_for_integration_fix' }
  if (task.status === 'UNCLAIMED') return { ...claim, event: 'claimed' }
  return { ...claim, event: task.assigned_to === coder ? 'reclaimed_after_rejection' : 'reassigned_after_rejection' }
}

/** Who else had the task last, though it was released or unblocked since; null when nobody did. */
function previousCoder({ assigned_to, history }: TaskEntry & TaskClaim, coder: string): string | null {
  const last = assigned_to ?? history.findLast(({ event }) => claimEvents.includes(event))?.agent ?? coder
  return last === coder ? null : last
}

/** Who works on its own work again finds it as it was; anyone else starts from a fresh worktree. */
function claimed(task: Task, { agent, generation }: Identity, base: string, now: Date, config: BoardConfig): TaskChange {
  const repairs = task.status === 'INTEGRATION_FAILED'
  const keeps = task.base_commit !== null && (repairs || task.handoff_pending || task.worktree_by === agent)
  return {
    assigned_to: agent,
    claim_generation: generation,
    lease_expires: leaseFrom(now, config.lease_duration),
    iteration: (task.iteration ?? 0) + 1,
    worktree: worktreeOf(task.id).worktree,
    preparing: true,
    worktree_by: keeps ? agent : task.worktree_by,
    base_commit: keeps ? task.base_commit : base,
    integration_fix: task.integration_fix || repairs,
    handoff_pending: false,
    review_commit: null,
    ...withoutApproval,
    ...(task.assigned_to === agent ? {} : { review_cycles_current: 0 }),
  }
}
