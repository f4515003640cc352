import * as z from 'zod'
import { OutputVerdict } from '../domain/workflow/criteria.ts'
import { WorkflowFault } from '../domain/workflow/faults.ts'
import { workflowUserView } from '../domain/workflow/view.ts'
import { FORMAT_VERSION, workflowJsonSchema } from '../domain/workflow/workflow.ts'
import { checkContextSize, nextStep } from '../workflows/next.ts'
import { faultLine, readWorkflow } from '../workflows/read.ts'
import { findStep } from '../workflows/find-step.ts'
import { validateOutput } from '../workflows/validate-output.ts'
import { workflowWarnings } from '../workflows/warnings.ts'
import { nextOutput, NextOutput } from './next-output.ts'
import { nextTool, resumeTool, startTool, workflowId } from './run-tools.ts'
import { defineMcpTool, readsOnlyHints, type McpTool } from './tool.ts'

const context = z.record(z.string(), z.unknown()).describe('Variables that conditions test, at most 256 KiB.')
const about = { id: z.string(), name: z.string(), description: z.string(), version: z.string(), source: z.string() }

const listTool = defineMcpTool({
  name: 'workflow_list',
  title: 'List workflows',
  description: 'Lists the workflows that can be played, and the files that were refused and why.',
  input: z.strictObject({}),
  output: z.object({
    workflows: z.array(z.object({ ...about, shadows: z.array(z.string()).optional() })),
    refused: z.array(WorkflowFault),
  }),
  annotations: readsOnlyHints,
  example: {},
  run: async (_, { catalogue }) => {
    const { entries, refused } = await catalogue.read()
    const workflows = [...entries.values()].map(({ workflow: { id, name, description, version }, source, shadows }) => {
      const hidden = shadows.map((shadowed) => `${shadowed.source}: ${shadowed.file}`)
      return { id, name, description, version, source, ...(hidden.length > 0 && { shadows: hidden }) }
    })
    const lines = [...workflows.map(({ id, name }) => `${id}: ${name}`), ...refused.map((fault) => `refused ${faultLine(fault)}`)]
    return { structured: { workflows, refused: [...refused] }, forUser: lines.join('\n') }
  },
})

const getTool = defineMcpTool({
  name: 'workflow_get',
  title: 'Describe a workflow',
  description: 'Describes a workflow: metadata alone, or with a preview of its first step.',
  input: z.strictObject({ workflowId, mode: z.enum(['metadata', 'preview']).default('preview') }),
  output: z.object({
    ...about,
    totalSteps: z.int(),
    preconditions: z.array(z.string()),
    clarificationPrompts: z.array(z.string()),
    metaGuidance: z.array(z.string()),
    firstStep: NextOutput.shape.step.optional(),
  }),
  annotations: readsOnlyHints,
  example: { workflowId: 'feature-planning', mode: 'preview' },
  run: async (input, { catalogue }) => {
    const { workflow, source } = await catalogue.find(input.workflowId)
    const { id, name, description, version, preconditions = [], clarificationPrompts = [], metaGuidance = [], steps } = workflow
    const first = input.mode === 'preview' ? nextOutput(nextStep(workflow, [], {}), workflow, { run: null, first: false }).step : undefined
    const told = { id, name, description, version, source, totalSteps: steps.length, preconditions, clarificationPrompts, metaGuidance }
    const titles = workflowUserView(workflow).steps.map((step, at) => `${at + 1}. ${step.title}`)
    return {
      structured: { ...told, ...(first !== undefined && { firstStep: first }) },
      forUser: `${name}: ${description}\n\n${titles.join('\n')}`,
    }
  },
})

const validateTool = defineMcpTool({
  name: 'workflow_validate',
  title: 'Validate an output',
  description: "Judges an output by a step's criteria, without recording it.",
  input: z.strictObject({ workflowId, stepId: z.string().max(200), output: z.string().max(100_000), context: context.default({}) }),
  output: OutputVerdict,
  annotations: readsOnlyHints,
  example: { workflowId: 'feature-planning', stepId: 'write-plan', output: 'The text to judge.', context: {} },
  run: async (input, { catalogue }) => {
    checkContextSize(input.context)
    const { workflow } = await catalogue.find(input.workflowId)
    const structured = await validateOutput(findStep(workflow, input.stepId).validationCriteria, input.output, input.context)
    return { structured, forUser: structured.valid ? 'The output meets the criteria.' : structured.issues.join('\n') }
  },
})

const validateJsonTool = defineMcpTool({
  name: 'workflow_validate_json',
  title: 'Validate a workflow',
  description: 'Checks the text of a workflow file, JSON or YAML: every fault with line, field and fix.',
  input: z.strictObject({ workflowJson: z.string().min(1).max(1_048_576) }),
  output: OutputVerdict.extend({ faults: z.array(WorkflowFault), warnings: z.array(WorkflowFault) }),
  annotations: readsOnlyHints,
  example: { workflowJson: '{"id": "my-workflow", "name": …}' },
  run: async ({ workflowJson }) => {
    const name = /^\s*[{[]/.test(workflowJson) ? 'workflow.json' : 'workflow.yaml'
    const read = await readWorkflow(workflowJson, name)
    const warnings = 'faults' in read ? [] : await workflowWarnings(read.workflow, workflowJson, name)
    const faults = 'faults' in read ? [...read.faults] : []
    const issues = faults.map(faultLine)
    const suggestions = faults.length === 0 ? [] : ['Correct every fault and validate again; workflow_get_schema shows the format.']
    return {
      structured: { valid: faults.length === 0, issues, suggestions, faults, warnings },
      forUser: [issues.join('\n') || 'The workflow is valid.', ...warnings.map((warning) => `warning: ${faultLine(warning)}`)].join('\n'),
    }
  },
})

const schemaTool = defineMcpTool({
  name: 'workflow_get_schema',
  title: 'Get the workflow format',
  description: 'The JSON Schema of workflow files, for writing one.',
  input: z.strictObject({}),
  output: z.object({ formatVersion: z.int(), schema: z.record(z.string(), z.unknown()) }),
  annotations: readsOnlyHints,
  example: {},
  run: async () => ({
    structured: { formatVersion: FORMAT_VERSION, schema: workflowJsonSchema() },
    forUser: `The format of workflow files, version ${FORMAT_VERSION}.`,
  }),
})

/** Every tool, in the order in which clients are told of them. */
export const mcpTools: readonly McpTool[] = [listTool, getTool, startTool, nextTool, resumeTool, validateTool, validateJsonTool, schemaTool]
