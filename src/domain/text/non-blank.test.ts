import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as z from 'zod'
import { anomalyFaults } from '../board/record.ts'
import { ExitCommand } from '../job/exit-command.ts'
import { PlanContent } from '../plan.ts'
import { QuestionContent } from '../question.ts'
import { Verdict } from '../board/task-verdict.ts'
import { TaskPlan } from '../board/task.ts'

const BLANK = ' \n\t            '
const blocker = {
  file: 'a.ts',
  location: '1',
  criterion: 'done_when',
  defect: 'It ends with 0.',
  fix: 'End with 1 there.',
  anomaly_logged: false,
}
const judged = { review_commit: 'a'.repeat(40) }
const step = { step_number: 1, action: 'Read it' }
const option = { label: 'Yes', value: 'yes' }
const asked = { type: 'question', question: 'Now?', severity: 'minor', options: [option] }

/** Something that fits, and the same with one text of it blank. */
// oxfmt-ignore
const texts: [of: string, schema: z.ZodType, fits: object, blank: object][] = [
  ['description', TaskPlan,        { description: 'Page it' },                                    { description: BLANK }],
  ['scope',       TaskPlan,        { description: 'Page it', scope: 'IN: lists' },                { description: 'Page it', scope: BLANK }],
  ['done_when',   TaskPlan,        { description: 'Page it', done_when: 'a.md exists' },          { description: 'Page it', done_when: BLANK }],
  ['defect',      Verdict,         { verdict: 'REJECTED', ...judged, blockers: [blocker] },       { verdict: 'REJECTED', ...judged, blockers: [{ ...blocker, defect: BLANK }] }],
  ['fix',         Verdict,         { verdict: 'REJECTED', ...judged, blockers: [blocker] },       { verdict: 'REJECTED', ...judged, blockers: [{ ...blocker, fix: BLANK }] }],
  ['file',        Verdict,         { verdict: 'REJECTED', ...judged, blockers: [blocker] },       { verdict: 'REJECTED', ...judged, blockers: [{ ...blocker, file: BLANK }] }],
  ['evidence',    Verdict,         { verdict: 'APPROVED', ...judged, criteria: [{ criterion: 'done_when', evidence: 'seen' }] },
                                   { verdict: 'APPROVED', ...judged, criteria: [{ criterion: 'done_when', evidence: BLANK }] }],
  ['summary',     ExitCommand,     { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' },
                                   { action: 'COMPLETED', evidence_files: [], summary_for_supervisor: BLANK }],
  ['goal',        PlanContent,     { goal: 'Page it', steps: [step] },                            { goal: BLANK, steps: [step] }],
  ['action',      PlanContent,     { goal: 'Page it', steps: [step] },                            { goal: 'Page it', steps: [{ ...step, action: BLANK }] }],
  ['question',    QuestionContent, asked,                                                         { ...asked, question: BLANK }],
  ['label',       QuestionContent, asked,                                                         { ...asked, options: [{ ...option, label: BLANK }] }],
]

for (const [of, schema, fits, blank] of texts) {
  test(`[C65] a ${of} of blanks alone says nothing and is refused`, () => {
    const [good, bad] = [schema.safeParse(fits), schema.safeParse(blank)]

    assert.deepEqual([good.success, bad.success], [true, false], good.error?.message)
  })
}

test('[C65] what an anomaly must say it does not say in blanks', () => {
  const faults = anomalyFaults('retry_loop', { count: 3, error_pattern: BLANK })

  assert.equal(faults.length, 1)
  assert.match(faults[0] ?? '', /error_pattern/)
})
