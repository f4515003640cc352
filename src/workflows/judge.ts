import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { OutputVerdict } from '../domain/workflow/criteria.ts'
import type { WorkflowContext } from './context.ts'
import { findStep } from './find-step.ts'
import { ContextVariables } from './follow.ts'
import { checkContextSize } from './next.ts'
import { WorkflowId } from './show.ts'
import { validateOutput } from './validate-output.ts'

export const judgeOutput = defineOperation({
  name: 'workflow.judge_output',
  summary: 'Judge an output by the criteria of a step, without recording it',
  advice: "Judges an output by a step's criteria, without recording it.",
  by: ['person', 'client'],
  effect: 'read',
  command: 'workflow judge <workflowId> <stepId>',
  input: z.strictObject({
    workflowId: WorkflowId,
    stepId: z.string().max(200),
    output: z.string().max(100_000),
    context: ContextVariables.default({}),
  }),
  output: OutputVerdict,
  example: { workflowId: 'feature-planning', stepId: 'write-plan', output: 'The text to judge.' },
  tell: ({ valid, issues }) => (valid ? 'The output meets the criteria.' : issues.join('\n')),
  run: async ({ catalogue }: WorkflowContext, { workflowId, stepId, output, context }) => {
    checkContextSize(context)
    const { workflow } = await catalogue.find(workflowId)
    return validateOutput(findStep(workflow, stepId).validationCriteria, output, context)
  },
})
