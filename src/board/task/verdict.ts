import * as z from 'zod'
import type { Board } from '../../domain/board/board.ts'
import { rejectionText, unspokenOf, Verdict, Blocker, Criterion } from '../../domain/board/task-verdict.ts'
import {
  type Task,
  type TaskEntry,
  type TaskReview,
  TaskId,
  TaskRecord,
  type TaskPlan,
  type TaskPlanning,
} from '../../domain/board/task.ts'
import { leaseFrom } from '../../domain/lease.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords, boards } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { recordActivity } from '../activity.ts'
import { logSameRejection } from '../agent/duties.ts'
import { actOn, type KnownActor } from '../agent/known-actor.ts'
import { type BoardWorkspace, type Identity, needIdentity, type RecordsContext } from '../context.ts'
import { needTask } from '../find.ts'
import { holdForLimit } from '../goal/limits.ts'
import { readSpec, isOtherSpec, staleSpec, knownSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { addRecord } from '../records.ts'
import { placeOf } from '../worktree/prepare.ts'
import { freeAgent, moveTask, refuseMove, withoutReview } from './move.ts'

/** A reviewer's binding verdict on the commit it was given. An approval is what a merge needs, and holds for that commit and that spec only. */
export async function recordVerdict(context: BoardWorkspace, identity: Identity, taskId: string, given: unknown): Promise<Task> {
  const verdict = fitting(Verdict, given, 'this is not a verdict')
  const { item: asked } = await needTask(context.driver, context.board_id, taskId)
  const head = await branchHead(context.repository, placeOf(context.repository.root, asked).branch)
  const spec = await readSpec(context.repository, await integrationNow(context), asked.spec_ref)
  const judged = await actOn(context, identity, taskId, async (tx, who, was) => {
    refuseMove(was.item, verdict.verdict === 'APPROVED' ? 'approve' : 'reject', who)
    mustReview(was.item, who)
    mustConcern(was.item, verdict)
    await mustSpeakOfEarlier(tx, was.item, verdict)
    const { item: board } = await boards.get(tx, context.board_id)
    if (verdict.verdict === 'REJECTED') return reject(tx, board, was, who, verdict)
    if (head !== verdict.review_commit) {
      throw new Problem(
        'conflict',
        `the branch of ${taskId} is at ${head}, not at the reviewed ${verdict.review_commit}; it cannot be approved`,
      )
    }
    return isOtherSpec(was.item, spec, verdict.spec_hash) ? null : approve(tx, was, who, verdict)
  })
  if (judged === null) throw await staleSpec(context, asked, spec)
  return judged
}

async function approve(tx: Driver, was: Stored<Task>, who: KnownActor, verdict: Extract<Verdict, { verdict: 'APPROVED' }>): Promise<Task> {
  const { id, board_id, assigned_to } = was.item
  await keepVerdict(tx, was.item, who.id, verdict)
  const step = { move: 'approve', by: who, event: 'approved', about: { commit: verdict.review_commit } } as const
  const changes = { ...withoutReview, approved_by: who.id, approved_spec_hash: verdict.spec_hash, rejection_reason: null }
  const approved = await moveTask(tx, was, step, changes)
  await freeAgent(tx, was.item, who.id)
  const checked = verdict.criteria.length === 1 ? '1 criterion' : `${verdict.criteria.length} criteria`
  const detail = `approved ${verdict.review_commit} of ${assigned_to}, ${checked} checked`
  await recordActivity(tx, board_id, { agent: who.id, action: 'approved', task: id, detail })
  return approved.item
}

/** Rejects work that is under review, whoever looks at it. */
export async function reject(
  tx: Driver,
  board: Board,
  was: Stored<Task>,
  who: KnownActor,
  verdict: Extract<Verdict, { verdict: 'REJECTED' }>,
): Promise<Task> {
  const { id, board_id, reviewing_by, review_cycles_current, review_cycles_total } = was.item
  const round = review_cycles_total + 1
  const numbered = { ...verdict, blockers: verdict.blockers.map((blocker, at) => ({ ...blocker, id: `${round}.${at + 1}` })) }
  await keepVerdict(tx, was.item, who.id, numbered)
  const rejection_reason = rejectionText(numbered, (await rejectedWith(tx, was.item)).flat())
  const step = { move: 'reject', by: who, event: 'rejected', about: { reason: rejection_reason, commit: verdict.review_commit } } as const
  const rejected = await moveTask(tx, was, step, {
    ...withoutReview,
    rejection_reason,
    review_cycles_current: review_cycles_current + 1,
    review_cycles_total: round,
    lease_expires: leaseFrom(await tx.now(), board.config.lease_duration), // its coder has this long to come back for it
  })
  await freeAgent(tx, was.item, reviewing_by)
  await recordActivity(tx, board_id, { agent: who.id, action: 'rejected', task: id, detail: counted(numbered.blockers.length, 'blocker') })
  await logSameRejection(tx, rejected.item)
  await holdForLimit(tx, board, rejected)
  return (await needTask(tx, board_id, id)).item
}

async function keepVerdict(tx: Driver, task: TaskEntry & TaskReview, by: string, verdict: Verdict): Promise<void> {
  await addRecord(tx, task.board_id, { kind: 'verdict', task: task.id, by, round: task.review_cycles_total + 1, verdict })
}

function mustReview(task: TaskEntry & TaskReview, { id, agent }: KnownActor): void {
  if (task.reviewing_by === id && agent !== null && task.review_generation === agent.item.generation) return
  throw new Problem('forbidden', `${task.id} is under review by ${task.reviewing_by ?? 'nobody'}, not by ${id}; claim the review first`, {
    details: { task: task.id, reviewing_by: task.reviewing_by },
  })
}

function mustConcern(task: TaskEntry & TaskReview, { review_commit }: Verdict): void {
  if (task.review_commit === review_commit) return
  throw new Problem('conflict', `${task.id} was submitted with ${task.review_commit}; a verdict about ${review_commit} does not count`)
}

/** From the second round on, every earlier blocker is answered for; an approval leaves none open. */
async function mustSpeakOfEarlier(tx: Driver, task: TaskEntry & TaskReview, verdict: Verdict): Promise<void> {
  const rounds = await rejectedWith(tx, task)
  refuseInvented(verdict, rounds.flat())
  const unspoken = unspokenOf(rounds[0] ?? [], verdict)
  if (unspoken.length > 0) {
    throw new Problem(
      'bad_input',
      `prior_findings must say of each earlier blocker whether it is RESOLVED, STILL PRESENT or PARTIAL; missing: ${unspoken.join(', ')}`,
    )
  }
  const open = verdict.prior_findings.filter(({ status }) => status !== 'RESOLVED')
  if (verdict.verdict === 'APPROVED' && open.length > 0) {
    throw new Problem(
      'bad_input',
      `not RESOLVED: ${open.map(({ id }) => id).join(', ')}; reject, naming what is not resolved as blockers again`,
    )
  }
}

/** The blockers of the last rejection of this task. */
export async function lastBlockers(driver: Driver, task: TaskEntry & TaskReview): Promise<Blocker[]> {
  return (await rejectedWith(driver, task))[0] ?? []
}

/** The blockers of each rejection of this task, the last one first. */
async function rejectedWith(driver: Driver, { id, board_id, review_cycles_total }: TaskEntry & TaskReview): Promise<Blocker[][]> {
  if (review_cycles_total === 0) return []
  const given = await boardRecords.items(driver, { where: { board_id, kind: 'verdict', task: id }, order: ['-id'], limit: 20 })
  return given.flatMap((one) => (one.kind === 'verdict' && one.verdict.verdict === 'REJECTED' ? [one.verdict.blockers] : []))
}

/** Who speaks of a finding that nobody made has looked at something else. */
function refuseInvented({ prior_findings }: Verdict, found: readonly Blocker[]): void {
  const ids = found.flatMap(({ id }) => id ?? [])
  const invented = prior_findings.flatMap(({ id }) => (ids.includes(id) ? [] : [id]))
  if (invented.length === 0) return
  const there = ids.length === 0 ? 'there is none yet' : `there are ${ids.join(', ')}`
  throw new Problem('bad_input', `${invented.join(', ')} does not match any earlier finding; ${there}`)
}

/** One flat form for both verdicts, because some models accept no choice of forms; the record's own schema judges it. */
const VerdictForm = z.strictObject({
  task: TaskId,
  verdict: z.enum(['APPROVED', 'REJECTED']),
  criteria: z
    .array(z.strictObject({ criterion: z.string(), evidence: z.string() }))
    .optional()
    .describe('APPROVED: what you checked'),
  commands: z.array(z.strictObject({ command: z.string(), exit_code: z.int() })).optional(),
  blockers: z
    .array(
      z.strictObject({
        file: z.string(),
        location: z.string(),
        criterion: Criterion,
        spec_ref: z.string().nullable().optional(),
        defect: z.string(),
        fix: z.string(),
        anomaly_logged: Blocker.shape.anomaly_logged,
      }),
    )
    .optional()
    .describe('REJECTED: at least one'),
  concerns: z.array(z.string()).optional(),
  judgement: z.string().optional(),
  prior_findings: z
    .array(z.strictObject({ id: z.string(), status: z.enum(['RESOLVED', 'STILL PRESENT', 'PARTIAL']), note: z.string().optional() }))
    .optional()
    .describe('from the second round on: each earlier blocker'),
  review_commit: z.string().optional().describe('the commit that was looked at; the submitted one when left out'),
  spec_hash: z.string().nullable().optional().describe('the spec it was held against; as it was last shown when left out'),
})

/** An approval is what a merge needs, and holds for one commit and one text of the spec only. */
export const submitVerdict = defineOperation({
  name: 'board.submit_verdict',
  summary: 'Give a binding verdict on the commit under review',
  advice: 'Give your binding verdict on the commit under review. Your part ends here.',
  by: ['code_reviewer'],
  effect: 'change',
  ends: true,
  command: 'board verdict <task>',
  input: VerdictForm,
  output: TaskRecord,
  example: { task: 'task-1', verdict: 'APPROVED', criteria: [{ criterion: 'done_when', evidence: 'tests/users.test.ts' }] },
  tell: ({ id, status }) => `${id} is ${status}`,
  run: async (context: BoardWorkspace & RecordsContext, { task: id, review_commit, spec_hash, ...form }) => {
    const { item } = await needTask(context.driver, context.board_id, id)
    const commit = review_commit ?? item.review_commit
    if (commit === null) throw new Problem('move_refused', `${id} is ${item.status}; only a commit that was submitted can be judged`)
    const stated = { ...definedOnly(form), review_commit: commit }
    const judged =
      form.verdict === 'REJECTED' ? stated : { ...stated, spec_hash: spec_hash === undefined ? await specNow(context, item) : spec_hash }
    return recordVerdict(context, needIdentity(context.actor), id, judged)
  },
})

async function specNow(context: BoardWorkspace, task: TaskEntry & TaskPlan & TaskPlanning): Promise<string | null> {
  return knownSpec(context, task, await readSpec(context.repository, await integrationNow(context), task.spec_ref))
}
