import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { TaskId, TaskRecord, type Task, type TaskEntry } from '../../domain/board/task.ts'
import { recordActivity } from '../activity.ts'
import { whyNotReviewable, chooseCandidate, findCandidates } from './candidates.ts'
import { refuseSignal } from './claim.ts'
import { type BoardWorkspace, type Identity, type BoardRef, needIdentity, type RecordsContext } from '../context.ts'
import { leaseFrom } from '../../domain/lease.ts'
import { messagesFor, TaskMessages } from './messages.ts'
import { freeAgent, moveAgent, tellTask } from './move.ts'
import { releaseReview } from './release.ts'
import { bringWork } from '../goal/shared-branches.ts'
import { noticeSpecChange, readSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { boardOf } from '../find.ts'

/** What a reviewer is given. */
export interface Review {
  task: Task
  /** The spec as it is now; the approval has to name it. */
  spec_hash: string | null
  /** How the spec changed since the task was made; null when it did not. */
  spec_delta: string | null
}

/** The approval has to name the spec as it is now. */
export const reviewTask = defineOperation({
  name: 'board.review_task',
  summary: 'Give a code reviewer the next review, or the one that is named',
  by: ['code_reviewer'],
  effect: 'change',
  command: 'board review [task]',
  input: z.strictObject({ task: TaskId.optional() }),
  output: z
    .object({ task: TaskRecord, spec_hash: z.string().nullable(), spec_delta: z.string().nullable(), ...TaskMessages.shape })
    .nullable(),
  example: {},
  absent: { agent: 'the supervising process claims for its agents', mcp: 'next_assignment claims for the agent that asks' },
  tell: (review) => (review === null ? 'Nothing waits for review.' : `${review.task.id} is reviewed by ${review.task.reviewing_by}`),
  run: async (context: BoardWorkspace & RecordsContext, { task: wanted }) => {
    const review = await claimReview(context, needIdentity(context.actor), wanted)
    return review === null ? null : { ...review, ...(await messagesFor(context, review.task)) }
  },
})

/** Gives the next review, or the one that is named, to a reviewer, in one transaction. Null when nothing waits. */
export async function claimReview(board: BoardWorkspace, identity: Identity, wanted?: string): Promise<Review | null> {
  const task = await takeReview(board, identity, wanted)
  if (task === null) return null
  await bringOrGiveBack(board, identity, task)
  const spec = await readSpec(board.repository, await integrationNow(board), task.spec_ref)
  return { task, spec_hash: spec?.spec_hash ?? null, spec_delta: await noticeSpecChange(board, task, spec) }
}

/** A reviewer on another machine than the coder gets the work from the remote; where that fails, another may try. */
async function bringOrGiveBack(board: BoardWorkspace, identity: Identity, task: TaskEntry): Promise<void> {
  if (board.dry === true) return
  try {
    await bringWork(board, (await boardOf(board)).config, task)
  } catch (error) {
    await releaseReview(board, identity, task.id, { reason: `the work could not be fetched: ${asProblem(error).message}` })
    throw error
  }
}

/** The claim of a review itself. */
export async function takeReview(context: BoardRef, identity: Identity, wanted?: string): Promise<Task | null> {
  return context.driver.transaction(async (tx) => {
    const look = await findCandidates(tx, 'review', context.board_id, identity, wanted)
    const { board, agent, now } = look
    const { role, current_task } = agent.item
    if (role !== 'code_reviewer') throw new Problem('forbidden', `${identity.agent} may not review: reviews go to code reviewers only`)
    if (current_task !== null)
      throw new Problem('conflict', `${identity.agent} is still at ${current_task}; it has to give its verdict or release it first`)
    refuseSignal(board.item)
    const was = await chooseCandidate(tx, look, (task) => whyNotReviewable(task, identity, now), wanted)
    if (was === undefined) return null
    const before = was.item.reviewing_by
    const lease = leaseFrom(now, board.item.config.lease_duration)
    const taken = { reviewing_by: identity.agent, review_generation: identity.generation, review_lease_expires: lease }
    const about = { commit: was.item.review_commit, ...(before === null ? {} : { previous_reviewer: before }) }
    const event = { by: { role, id: identity.agent }, event: 'review_claimed', about, now } as const
    const stored = await tellTask(tx, was, event, taken)
    if (before !== null && before !== identity.agent) await freeAgent(tx, was.item, before)
    await moveAgent(tx, agent, 'review', { current_task: was.item.id, lease_expires: lease, heartbeat: now.toISOString() })
    const detail = `reviews ${was.item.review_commit}`
    await recordActivity(tx, context.board_id, { agent: identity.agent, action: 'review_claimed', task: was.item.id, detail })
    return stored.item
  })
}
