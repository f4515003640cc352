import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { WorkflowFault } from '../domain/workflow/faults.ts'
import { WorkflowOutline } from '../domain/workflow/view.ts'
import type { CatalogueEntry } from './files/catalogue.ts'
import type { WorkflowContext } from './context.ts'
import { WorkflowSource } from './files/folder.ts'
import { faultLine } from './files/read.ts'

const Place = z.object({ source: WorkflowSource, file: z.string() })

/** Where a workflow was found, and which others it hides. `edit` is the name of a file of the project's own, null for every other. */
export const FoundWorkflow = Place.extend({ shadows: z.array(Place), edit: z.string().nullable() })

/** A workflow in the catalogue. */
export type WorkflowSummary = z.infer<typeof WorkflowSummary>
const WorkflowSummary = WorkflowOutline.pick({ id: true, name: true, description: true, version: true }).extend({
  steps: z.int(),
  ...FoundWorkflow.shape,
})

/** What can be played and where it came from, and what was refused and why. */
export const listWorkflows = defineOperation({
  name: 'workflow.list',
  summary: 'List the workflows of this project, and the files that were refused',
  advice: 'Lists the workflows that can be played, and the files that were refused and why.',
  by: ['person', 'client'],
  effect: 'read',
  command: 'workflow list',
  input: z.strictObject({}),
  output: z.object({
    workflows: z.array(WorkflowSummary),
    refused: z.array(WorkflowFault.extend({ edit: FoundWorkflow.shape.edit })),
  }),
  example: {},
  tell: ({ workflows, refused }) =>
    [...workflows.map(({ id, name }) => `${id}: ${name}`), ...refused.map((fault) => `refused ${faultLine(fault)}`)].join('\n'),
  run: async (context: WorkflowContext) => {
    const { entries, refused } = await context.catalogue.read()
    const workflows = [...entries.values()].map((entry) => {
      const { id, name, description, version, steps } = entry.workflow
      return { id, name, description, version, steps: steps.length, ...foundAt(context, entry) }
    })
    return { workflows, refused: refused.map((fault) => ({ ...fault, edit: editName(context, fault.file) })) }
  },
})

export function foundAt(context: WorkflowContext, { source, file, shadows }: CatalogueEntry): z.infer<typeof FoundWorkflow> {
  return { source, file, shadows: [...shadows], edit: editName(context, file) }
}

function editName({ project }: WorkflowContext, file: string): string | null {
  return dirname(file) === join(project, '.troupe', 'workflows') ? basename(file) : null
}
