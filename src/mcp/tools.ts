import * as z from 'zod'
import { OutputVerdict } from '../domain/workflow/criteria.ts'
import { WorkflowFault } from '../domain/workflow/faults.ts'
import { checkText, workflowFormat } from '../workflows/files/check.ts'
import { nextOutput, NextOutput } from '../workflows/client-answer.ts'
import { resumeRuns } from '../workflows/follow.ts'
import { judgeOutput } from '../workflows/judge.ts'
import { listWorkflows } from '../workflows/list.ts'
import { nextStep } from '../workflows/next.ts'
import { faultLine } from '../workflows/files/read.ts'
import { showWorkflow } from '../workflows/show.ts'
import { nextTool, startTool } from './run-tools.ts'
import { clientToolOf, toolOf, type McpTool } from './tool.ts'

const about = { id: z.string(), name: z.string(), description: z.string(), version: z.string(), source: z.string() }

const listTool = clientToolOf(listWorkflows, {
  name: 'workflow_list',
  title: 'List workflows',
  input: listWorkflows.input,
  output: z.object({
    workflows: z.array(z.object({ ...about, shadows: z.array(z.string()).optional() })),
    refused: z.array(WorkflowFault),
  }),
  example: listWorkflows.example,
  run: async (input, services) => {
    const listed = await listWorkflows.run(services, input)
    const workflows = listed.workflows.map(({ id, name, description, version, source, shadows }) => {
      const hidden = shadows.map((shadowed) => `${shadowed.source}: ${shadowed.file}`)
      return { id, name, description, version, source, ...(hidden.length > 0 && { shadows: hidden }) }
    })
    const refused = listed.refused.map((fault) => WorkflowFault.parse(fault))
    return { structured: { workflows, refused }, forUser: listWorkflows.tell(listed) }
  },
})

const getTool = clientToolOf(showWorkflow, {
  name: 'workflow_get',
  title: 'Describe a workflow',
  input: showWorkflow.input.extend({ mode: z.enum(['metadata', 'preview']).default('preview') }),
  output: z.object({
    ...about,
    totalSteps: z.int(),
    preconditions: z.array(z.string()),
    clarificationPrompts: z.array(z.string()),
    metaGuidance: z.array(z.string()),
    firstStep: NextOutput.shape.step.optional(),
  }),
  example: { workflowId: 'feature-planning', mode: 'preview' },
  run: async ({ mode, ...input }, services) => {
    const { workflow, source } = await services.catalogue.find(input.workflowId)
    const { id, name, description, version, preconditions = [], clarificationPrompts = [], metaGuidance = [], steps } = workflow
    const first = mode === 'preview' ? nextOutput(nextStep(workflow, [], {}), workflow, { run: null, first: false }).step : undefined
    const told = { id, name, description, version, source, totalSteps: steps.length, preconditions, clarificationPrompts, metaGuidance }
    return {
      structured: { ...told, ...(first !== undefined && { firstStep: first }) },
      forUser: showWorkflow.tell(await showWorkflow.run(services, input)),
    }
  },
})

const validateJsonTool = clientToolOf(checkText, {
  name: 'workflow_validate_json',
  title: 'Validate a workflow',
  input: z.strictObject({ workflowJson: z.string().min(1).max(1_048_576) }),
  output: OutputVerdict.extend({ faults: z.array(WorkflowFault), warnings: z.array(WorkflowFault) }),
  example: { workflowJson: checkText.example.text },
  run: async ({ workflowJson: text }, services) => {
    const name = /^\s*[{[]/.test(text) ? 'workflow.json' : 'workflow.yaml'
    const checked = await checkText.run(services, { name, text })
    const { faults, warnings } = checked
    const suggestions = faults.length === 0 ? [] : ['Correct every fault and validate again; workflow_get_schema shows the format.']
    return {
      structured: { valid: faults.length === 0, issues: faults.map(faultLine), suggestions, faults, warnings },
      forUser: checkText.tell(checked),
    }
  },
})

/** Every tool, in the order in which clients are told of them. */
export const mcpTools: readonly McpTool[] = [
  listTool,
  getTool,
  startTool,
  nextTool,
  toolOf(resumeRuns, { name: 'workflow_resume', title: 'Find a run again' }),
  toolOf(judgeOutput, { name: 'workflow_validate', title: 'Validate an output' }),
  validateJsonTool,
  toolOf(workflowFormat, { name: 'workflow_get_schema', title: 'Get the workflow format' }),
]
