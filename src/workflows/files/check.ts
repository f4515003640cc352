import { basename } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { WorkflowFault } from '../../domain/workflow/faults.ts'
import { composeStepPrompt, WorkflowOutline, workflowUserView } from '../../domain/workflow/view.ts'
import { FORMAT_VERSION, stepsOf, workflowJsonSchema, type Step } from '../../domain/workflow/workflow.ts'
import type { WorkflowContext } from '../context.ts'
import { faultLine, readWorkflow } from './read.ts'
import { workflowWarnings } from './warnings.ts'

/** The text of a workflow file, and the name that says whether it is JSON or YAML. */
export const WorkflowText = z.strictObject({
  name: z.string().default('workflow.json').describe('the name of the file; .yaml and .yml are read as YAML'),
  text: z.string().max(1_048_576).describe('the text of a workflow file'),
})

/** For the author of a text alone: only they may see what the agent reads. */
export const checkText = defineOperation({
  name: 'workflow.check',
  summary: 'For the author of a text: what is wrong with it, and both sides of each step',
  advice: 'Checks the text of a workflow file, JSON or YAML: every fault with line, field and fix.',
  by: ['person', 'client'],
  effect: 'read',
  absent: { cli: 'the terminal checks files, several at once: workflow validate' },
  input: WorkflowText,
  output: z.object({
    faults: z.array(WorkflowFault),
    warnings: z.array(WorkflowFault),
    workflow: WorkflowOutline.nullable(),
    steps: z.array(z.object({ id: z.string(), title: z.string(), user: z.string(), agent: z.string() })),
  }),
  example: { name: 'my-workflow.json', text: '{"id": "my-workflow", "name": …}' },
  tell: ({ faults, warnings }) =>
    [faults.map(faultLine).join('\n') || 'The workflow is valid.', ...warnings.map((warning) => `warning: ${faultLine(warning)}`)].join(
      '\n',
    ),
  run: (context: WorkflowContext, { name, text }) => checkWorkflow(context, text, basename(name)),
})

/** What is wrong with a text that would be played in this folder, what its author probably did not mean, and both sides of each step. */
export async function checkWorkflow({ roles }: Pick<WorkflowContext, 'roles'>, text: string, file: string) {
  const read = await readWorkflow(text, file, roles)
  if ('faults' in read) return { faults: [...read.faults], warnings: [], workflow: null, steps: [] }
  const warnings = [...(await workflowWarnings(read.workflow, text, file))]
  return { faults: [], warnings, workflow: workflowUserView(read.workflow), steps: stepsOf(read.workflow).map(bothSides) }
}

function bothSides(step: Step) {
  return { id: step.id, title: step.title, user: step.prompt, agent: composeStepPrompt(step) }
}

export const workflowFormat = defineOperation({
  name: 'workflow.schema',
  summary: 'Show the JSON Schema of workflow files',
  advice: 'The JSON Schema of workflow files, for writing one.',
  by: ['person', 'client'],
  effect: 'read',
  command: 'workflow schema',
  input: z.strictObject({}),
  output: z.object({ formatVersion: z.int(), schema: z.record(z.string(), z.unknown()) }),
  example: {},
  tell: ({ formatVersion }) => `The format of workflow files, version ${formatVersion}.`,
  run: async (_context: WorkflowContext) => ({ formatVersion: FORMAT_VERSION, schema: workflowJsonSchema() }),
})
