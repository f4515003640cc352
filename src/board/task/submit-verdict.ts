import * as z from 'zod'
import { TaskId, TaskRecord, type TaskEntry, type TaskPlan, type TaskPlanning } from '../../domain/board/task.ts'
import { Blocker, Criterion } from '../../domain/board/task-verdict.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { needIdentity, type RecordsContext } from '../context.ts'
import type { BoardWorkspace } from '../desk.ts'
import { needTask } from '../find.ts'
import { readSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { knownSpec } from './spec-currency.ts'
import { recordVerdict } from './verdict.ts'

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
