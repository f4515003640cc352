import { lastEvent } from '../../domain/board/event.ts'
import type { AnomalyType } from '../../domain/board/record.ts'
import type { Blocker } from '../../domain/board/task-verdict.ts'
import type { Driver } from '../../store/driver.ts'
import { changedFiles } from '../../worktrees/diff.ts'
import { recordActivity } from '../activity.ts'
import { patternWords } from '../health/circuit-breaker-patterns.ts'
import type { BoardRepository } from '../context.ts'
import { addOnce, recordsOf, fingerprint } from '../records.ts'
import type { TaskReview, TaskPlan, TaskClaim, TaskEntry } from '../../domain/board/task.ts'

// What a machine can see without an agent's word is logged in the transaction of the move that shows it: whoever makes the move, and though it dies right after.

/** More rounds than this with the same error is a loop. */
const SAME_ERROR = 2

/** Logs the same blocker in one rejection after another. */
export async function logSameRejection(tx: Driver, task: TaskEntry): Promise<void> {
  const verdicts = (await recordsOf({ driver: tx, board_id: task.board_id }, 'verdict', task.id)).map(({ verdict }) => verdict)
  const rounds = verdicts.map((verdict) => (verdict.verdict === 'REJECTED' ? verdict.blockers.map(errorOf) : []))
  await logLoops(tx, task, rounds)
}

/** Logs the same reason why approved work could not be merged. */
export async function logSameFailure(tx: Driver, task: TaskEntry): Promise<void> {
  const rounds = task.history.flatMap((one) => (one.event === 'integration_failed' ? [[String(one.reason)]] : []))
  await logLoops(tx, task, rounds)
}

/** Logs that two coders failed: what they have in common is the task. */
export async function logExhaustion(tx: Driver, task: TaskEntry & TaskClaim): Promise<void> {
  const { failed_by, blocked_reason: last_reason } = task
  if (failed_by.length >= 2) await logOnce(tx, task, 'hypothesis_exhaustion', { failed_by, last_reason })
}

/** Logs files that a coder touched although it had not said so before it began. */
export async function logDeviation(tx: Driver, task: TaskEntry & TaskReview, files: readonly string[]): Promise<void> {
  if (files.length > 0) await logOnce(tx, task, 'scope_deviation', { files, stated: statedIn(task), commit: task.review_commit })
}

/** Logs files that a coder touched although the scope of its task names others. */
export async function logBeyondScope(tx: Driver, task: TaskEntry & TaskPlan & TaskReview, files: readonly string[]): Promise<void> {
  if (files.length > 0) await logOnce(tx, task, 'scope_deviation', { files, scope: task.scope, commit: task.review_commit })
}

/** The files beyond a checkpoint. Asked before the transaction: nobody waits for git there. */
export async function filesBeyondCheckpoint(
  { repository }: BoardRepository,
  task: TaskEntry,
  base: string,
  commit: string,
): Promise<string[]> {
  const stated = statedIn(task)
  if (stated.length === 0) return []
  const touched = (await changedFiles(repository.root, base, commit)).map(({ path }) => path)
  return touched.filter((path) => !stated.some((place) => path === place || path.startsWith(`${place.replace(/\/$/, '')}/`)))
}

async function logLoops(tx: Driver, task: TaskEntry, rounds: readonly string[][]): Promise<void> {
  for (const error_pattern of rounds.at(-1) ?? []) {
    const count = rounds.length - 1 - rounds.findLastIndex((errors) => !errors.includes(error_pattern))
    if (count > SAME_ERROR) await logOnce(tx, task, 'retry_loop', { count, error_pattern })
  }
}

async function logOnce(tx: Driver, { id, board_id }: TaskEntry, type: AnomalyType, details: Record<string, unknown>): Promise<void> {
  const anomaly = { kind: 'anomaly', task: id, reporter: 'supervisor', type, details } as const
  const cause = { ...details, count: undefined } // a loop that goes on is still the same one
  if (!(await addOnce(tx, board_id, `seen/${type}/${id}/${fingerprint(cause)}`, anomaly))) return
  await recordActivity(tx, board_id, { agent: 'supervisor', action: 'anomaly', task: id, detail: type })
}

function errorOf({ file, criterion, defect }: Blocker): string {
  return `${file} (${criterion}): ${patternWords(defect)}`
}

/** What the coder said it would change, in its last checkpoint. */
function statedIn({ history }: TaskEntry): string[] {
  const checkpoint = lastEvent(history, 'pre_execution_checkpoint')?.checkpoint
  if (typeof checkpoint !== 'object' || checkpoint === null || !('files_to_modify' in checkpoint)) return []
  const { files_to_modify: files } = checkpoint
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
}
