import { randomUUID } from 'node:crypto'
import type { BoardConfig } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import type { Task, TaskGit } from '../../domain/board/task.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { recordActivity } from '../activity.ts'
import { settleDependents } from './dependencies.ts'
import type { Actor, BoardWorkspace } from '../context.ts'
import { logSameFailure } from '../agent/duties.ts'
import { needTask } from '../find.ts'
import { hasExpired, leaseFrom } from '../../domain/lease.ts'
import { moveTask, refuseMove, withoutApproval, changeTask } from './move.ts'
import { actOn, type KnownActor } from '../agent/known-actor.ts'

/** One process at a time merges a task; when it dies, another takes over. */
export interface MergeHold {
  task: Task
  who: KnownActor
  token: string
  config: BoardConfig
  /** The process that had it before did not give it back: it may be gone, or be held up and go on at any moment. */
  taken_over: boolean
  /** Prolongs the hold; false when another process has it now. */
  renew: () => Promise<boolean>
  /** Lets another process try at once. */
  release: () => Promise<void>
}

/** Makes this process the only one that merges the task for a while. */
export async function takeMerge(board: BoardWorkspace, actor: Actor, taskId: string, config: BoardConfig): Promise<MergeHold> {
  const token = randomUUID()
  const { task, who, taken_over } = await actOn(board, actor, taskId, async (tx, standing, was) => {
    refuseMove(was.item, 'merge', standing)
    const now = await tx.now()
    if (was.item.merging_by !== null && !hasExpired(was.item.merge_lease_expires, now)) {
      throw new Problem('busy', `${taskId} is being merged by another process until ${was.item.merge_lease_expires}`)
    }
    const held = await changeTask(tx, was, { merging_by: token, merge_lease_expires: mergeLease(now, config) })
    return { task: held.item, who: standing, taken_over: was.item.merging_by !== null }
  })
  const change = (changes: (now: Date) => Partial<TaskGit>) =>
    board.driver.transaction(async (tx) => {
      const was = await needTask(tx, board.board_id, taskId)
      if (was.item.status !== 'APPROVED' || was.item.merging_by !== token) return false
      await changeTask(tx, was, changes(await tx.now()))
      return true
    })
  const renew = () => change((now) => ({ merge_lease_expires: mergeLease(now, config) }))
  const release = async () => void (await change((now) => (taken_over ? { merge_lease_expires: now.toISOString() } : noHold)))
  return { task, who, token, config, taken_over, renew, release }
}

/** The branch holds the work; now the board says so too, and whoever waited for it may go on. */
export async function finishMerge(
  board: BoardWorkspace,
  hold: MergeHold,
  merge_commit: string,
  drift_commits: number | null,
): Promise<Task> {
  return settle(board, hold, async (tx, was, who) => {
    const step = { move: 'merge', by: who, event: 'merged', about: { commit: merge_commit } } as const
    const changes = { ...noHold, merge_commit, worktree: null, worktree_by: null, integration_output: null }
    const merged = await moveTask(tx, was, step, changes)
    const free = await settleDependents(tx, merged.item)
    const drift = drift_commits === null ? {} : { drift_commits }
    const detail = `merged ${was.item.review_commit} as ${merge_commit}, approved by ${was.item.approved_by}`
    await recordActivity(tx, board.board_id, { agent: who.id, action: 'merged', task: was.item.id, detail, ...drift })
    for (const { id, depends_on } of free) {
      await recordActivity(tx, board.board_id, { agent: who.id, action: 'claimable', task: id, detail: `${depends_on.join(', ')} merged` })
    }
    return merged.item
  })
}

/** The integration branch stays as it was; what went wrong is kept for anyone who repairs it. */
export async function failIntegration(
  board: BoardWorkspace,
  hold: MergeHold,
  reason: string,
  output: string,
  failed_sha: string,
): Promise<Task> {
  return settle(board, hold, async (tx, was, who) => {
    const step = {
      move: 'fail_integration',
      by: { role: 'supervisor', id: who.id },
      event: 'integration_failed',
      about: { reason, failed_sha },
    } as const
    const failed = await moveTask(tx, was, step, { ...noHold, integration_output: output.slice(-OUTPUT_CHARS) })
    const detail = `${reason}; ${hold.config.integration_branch} was not moved`
    const more = { failed_sha, test_output: output.slice(-2_000) }
    await recordActivity(tx, board.board_id, { agent: who.id, action: 'integration_failed', task: was.item.id, detail, ...more })
    await logSameFailure(tx, failed.item)
    return failed.item
  })
}

/** What was approved is not what would be merged: back to its coder, without blame. */
export async function voidApproval(board: BoardWorkspace, hold: MergeHold, reason: string): Promise<Task> {
  return settle(board, hold, async (tx, was, who) => {
    const lease_expires = leaseFrom(await tx.now(), hold.config.lease_duration)
    const step = { move: 'void', by: { role: 'supervisor', id: who.id }, event: 'approval_voided', about: { reason } } as const
    const rejection_reason = `The approval was voided: ${reason}.`
    const voided = await moveTask(tx, was, step, { ...noHold, ...withoutApproval, rejection_reason, lease_expires })
    await recordActivity(tx, board.board_id, { agent: who.id, action: 'approval_voided', task: was.item.id, detail: reason })
    return voided.item
  })
}

const OUTPUT_CHARS = 64_000
const noHold = { merging_by: null, merge_lease_expires: null } as const

async function settle(
  board: BoardWorkspace,
  hold: MergeHold,
  write: (tx: Driver, was: Stored<Task>, who: KnownActor) => Promise<Task>,
): Promise<Task> {
  return board.driver.transaction(async (tx) => {
    const was = await needTask(tx, board.board_id, hold.task.id)
    if (was.item.status === 'MERGED') return was.item // another process found our merge in the branch and said so first
    if (was.item.merging_by !== hold.token) throw new Problem('conflict', `another process has taken over the merge of ${was.item.id}`)
    return write(tx, was, hold.who)
  })
}

/** As long as its test may take, and a lease more. */
function mergeLease(now: Date, { integration_test, integration_timeout, lease_duration }: BoardConfig): string {
  return leaseFrom(now, lease_duration + (integration_test === null ? 0 : integration_timeout))
}
