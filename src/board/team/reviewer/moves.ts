import * as z from 'zod'
import { Problem } from '../../../domain/problem.ts'
import { Blocker, Criterion } from '../../../domain/board/task-verdict.ts'
import { definedOnly } from '../../../domain/text/unknown-value.ts'
import { needTask } from '../../find.ts'
import { readSpec } from '../../goal/spec.ts'
import { integrationSeen } from '../../goal/take-in.ts'
import { submitVerdict } from '../../task/verdict.ts'
import { defineMove, assignedTask, type MoveContext } from '../move.ts'

/** One flat form for both verdicts, because some models accept no choice of forms; the record's own schema judges it. */
const VerdictForm = z.strictObject({
  verdict: z.enum(['APPROVED', 'REJECTED']),
  review_commit: z.string().optional().describe('the commit you looked at; the one you were given when left out'),
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
})

const verdict = defineMove({
  name: 'submit_verdict',
  description: 'Give your binding verdict on the commit under review. Your part ends here.',
  roles: ['code_reviewer'],
  required_permissions: ['read_files'],
  input: VerdictForm,
  example: { verdict: 'APPROVED', criteria: [{ criterion: 'done_when', evidence: 'tests/users.test.ts' }] },
  run: async (form, context) => {
    const stated = { review_commit: context.review_commit, ...definedOnly(form) }
    const spec = form.verdict === 'APPROVED' ? { spec_hash: context.spec_hash } : {}
    try {
      const task = await submitVerdict(context.board, context.identity, assignedTask(context), { ...stated, ...spec })
      return { output: `${task.id} is ${task.status}`, result: task, ends: true }
    } catch (error) {
      throw await withNewSpec(context, error)
    }
  },
})

/** Everything a code reviewer may do on the board. */
export const reviewerMoves = [verdict]

/** When the spec changed under the review, the reviewer is shown the new text and judges again. */
async function withNewSpec(context: MoveContext, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem) || typeof error.details['spec_hash'] !== 'string') return error
  const { item } = await needTask(context.board.driver, context.board.board_id, assignedTask(context))
  const spec = await readSpec(context.board.repository, await integrationSeen(context.board), item.spec_ref)
  if (spec === null) return error
  context.spec_hash = spec.spec_hash
  return new Problem(
    'conflict',
    `${item.spec_ref} changed while you reviewed. It reads now:\n${spec.text}\nJudge the work against this text.`,
  )
}
