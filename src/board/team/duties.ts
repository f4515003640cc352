import type { AnomalyType } from '../../domain/board-anomaly.ts'
import type { Task } from '../../domain/task.ts'
import type { Blocker } from '../../domain/task-verdict.ts'
import { changedFiles } from '../../worktrees/diff.ts'
import { sayActivity, type ActivityLine } from '../activity.ts'
import { plain } from '../circuit-breaker-patterns.ts'
import type { Desk } from '../desk.ts'
import { needTask } from '../find.ts'
import { addOnce, recordsOf } from '../records.ts'
import { fingerprint } from './fingerprint.ts'

/** More rounds than this with the same error is a loop. */
const SAME_ERROR = 2

interface Logged {
  type: AnomalyType
  details: Record<string, unknown>
}

/**
 * Logs what a machine can see without an agent's word, after each line of the activity log. Several processes may look at
 * the same line: each anomaly is written once, under a name that follows from what it says.
 */
export async function logDuties(desk: Desk, line: ActivityLine): Promise<void> {
  if (line.task === undefined || !(line.action in duties)) return
  const { item: task } = await needTask(desk.driver, desk.board_id, line.task)
  for (const found of (await duties[line.action]?.(desk, task)) ?? []) await logOnce(desk, task.id, found)
}

type Duty = (desk: Desk, task: Task) => Promise<Logged[]>

const duties: Readonly<Record<string, Duty>> = {
  rejected: rejectedAgain,
  integration_failed: failedAgain,
  ready_for_review: beyondCheckpoint,
  blocked: exhausted,
}

/** The same blocker in one rejection after another. */
async function rejectedAgain(desk: Desk, task: Task): Promise<Logged[]> {
  const verdicts = (await recordsOf(desk, 'verdict', task.id)).map(({ verdict }) => verdict)
  const rounds = verdicts.map((verdict) => (verdict.verdict === 'REJECTED' ? verdict.blockers.map(errorOf) : []))
  const last = rounds.at(-1) ?? []
  return last.flatMap((error) => {
    const count = inARow(rounds.map((round) => round.includes(error)))
    return count > SAME_ERROR ? [{ type: 'retry_loop' as const, details: { count, error_pattern: error } }] : []
  })
}

/** The same reason why approved work could not be merged. */
async function failedAgain(_: Desk, { history }: Task): Promise<Logged[]> {
  const reasons = history.flatMap(({ event, reason }) => (event === 'integration_failed' ? [String(reason)] : []))
  const last = reasons.at(-1) ?? ''
  const count = inARow(reasons.map((reason) => reason === last))
  return count > SAME_ERROR ? [{ type: 'retry_loop', details: { count, error_pattern: last } }] : []
}

/** Files that the coder touched although it had not said so before it began. */
async function beyondCheckpoint({ repository }: Desk, task: Task): Promise<Logged[]> {
  const { base_commit, review_commit, history } = task
  const checkpoint = history.findLast(({ event }) => event === 'pre_execution_checkpoint')?.['checkpoint']
  const stated = filesIn(checkpoint)
  if (stated.length === 0 || base_commit === null || review_commit === null) return []
  const touched = (await changedFiles(repository.root, base_commit, review_commit)).map(({ path }) => path)
  const outside = touched.filter((path) => !stated.some((place) => path === place || path.startsWith(`${place.replace(/\/$/, '')}/`)))
  return outside.length === 0 ? [] : [{ type: 'scope_deviation', details: { files: outside, stated, commit: review_commit } }]
}

/** Two coders failed: what they have in common is the task. */
async function exhausted(_: Desk, { failed_by, blocked_reason }: Task): Promise<Logged[]> {
  return failed_by.length < 2 ? [] : [{ type: 'hypothesis_exhaustion', details: { failed_by, last_reason: blocked_reason } }]
}

async function logOnce(desk: Desk, task: string, { type, details }: Logged): Promise<void> {
  const { driver, board_id } = desk
  await driver.transaction(async (tx) => {
    const anomaly = { kind: 'anomaly', task, reporter: 'supervisor', type, details } as const
    const cause = { ...details, count: undefined } // a loop that goes on is still the same one
    if (!(await addOnce(tx, board_id, `seen/${type}/${task}/${fingerprint(cause)}`, anomaly))) return
    await sayActivity(tx, board_id, { agent: 'supervisor', action: 'anomaly', task, detail: type })
  })
}

function errorOf({ file, criterion, defect }: Blocker): string {
  return `${file} (${criterion}): ${plain(defect)}`
}

/** How many of the last ones in a row are true. */
function inARow(facts: readonly boolean[]): number {
  const broken = facts.lastIndexOf(false)
  return facts.length - 1 - broken
}

function filesIn(checkpoint: unknown): string[] {
  if (typeof checkpoint !== 'object' || checkpoint === null || !('files_to_modify' in checkpoint)) return []
  const { files_to_modify: files } = checkpoint
  return Array.isArray(files) ? files.filter((file) => typeof file === 'string') : []
}
