import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { WorkflowOutline, workflowUserView } from '../domain/workflow/view.ts'
import type { WorkflowContext } from './context.ts'
import { foundAt, FoundWorkflow } from './list.ts'

/** How every operation names a workflow. */
export const WorkflowId = z.string().max(200).describe('The id of a workflow, from workflow_list.')

export const showWorkflow = defineOperation({
  name: 'workflow.show',
  summary: 'Show a workflow as people see it',
  advice: 'Describes a workflow: metadata alone, or with a preview of its first step.',
  by: ['person', 'client'],
  effect: 'read',
  command: 'workflow show <workflowId>',
  input: z.strictObject({ workflowId: WorkflowId }),
  output: z.object({ workflow: WorkflowOutline, ...FoundWorkflow.shape }),
  example: { workflowId: 'feature-planning' },
  tell: ({ workflow: { name, description, steps } }) =>
    `${name}: ${description}\n\n${steps.map(({ title }, at) => `${at + 1}. ${title}`).join('\n')}`,
  run: async (context: WorkflowContext, { workflowId }) => {
    const entry = await context.catalogue.find(workflowId)
    return { workflow: workflowUserView(entry.workflow), ...foundAt(context, entry) }
  },
})
