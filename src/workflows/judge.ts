import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { OutputVerdict } from '../domain/workflow/criteria.ts'
import type { WorkflowContext } from './context.ts'
import { ContextVariables } from './follow.ts'
import { checkContextSize } from './next.ts'
import { WorkflowId } from './show.ts'
import { validateOutput } from './validate-output.ts'
import { closest } from '../domain/text/closest.ts'
import { Problem } from '../domain/problem.ts'
import { stepsOf, type Step, type Workflow } from '../domain/workflow/workflow.ts'

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

/** A step by its id or by its key in a loop, or a refusal that names the nearest one. */
function findStep(workflow: Workflow, stepId: string): Step {
  const steps = stepsOf(workflow)
  const id = stepId.split('::').at(-1) ?? stepId
  const found = steps.find((step) => step.id === id)
  if (found !== undefined) return found
  const ids = steps.map((step) => step.id)
  const nearest = closest(id, ids)
  const hint = nearest === null ? `its steps are ${ids.join(', ').slice(0, 500)}` : `did you mean ${nearest}?`
  throw new Problem('not_found', `${workflow.id} has no step "${stepId.slice(0, 100)}"; ${hint}`, {
    details: { field: 'stepId', got: stepId.slice(0, 200), expected: `a step of ${workflow.id}`, closest: nearest },
  })
}
