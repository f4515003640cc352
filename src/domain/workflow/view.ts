import * as z from 'zod'
import { definedOnly } from '../text/unknown-value.ts'
import { Condition } from './condition.ts'
import { confirmationsOf, type Instance } from './next.ts'
import { loopVariables } from './loop.ts'
import { indexOf } from './index-steps.ts'
import { bodyOf, type FunctionDefinition, type Step, type Workflow } from './workflow.ts'

/** How far a run has come: which of the top-level steps is open. */
export type Progress = z.infer<typeof Progress>
const Progress = z.object({ position: z.int(), of: z.int(), round: z.string().nullable() })

/** A step as people see it. It has no place for agentRole or guidance, so no screen can show them. */
export type StepUserView = z.infer<typeof StepUserView>
export const StepUserView = z.object({
  audience: z.literal('user'),
  key: z.string(),
  title: z.string(),
  prompt: z.string(),
  progress: Progress,
})

/** A step as the agent gets it, role and hints included. Never print, draw or export it. */
export interface StepAgentView {
  audience: 'agent'
  step: AgentStep
  guidance: { prompt: string }
}

export type AgentStep = Pick<Step, 'id' | 'title' | 'prompt' | 'agentRole' | 'guidance' | 'role' | 'askForFiles' | 'functionCalls'> & {
  functionDefinitions?: FunctionDefinition[]
  /** A person confirms what came of it, always or under a condition. */
  requireConfirmation?: true
}

/** The person's side of a step. */
export function userView(workflow: Workflow, instance: Instance): StepUserView {
  const { key, step, loop, position } = instance
  const round = loop === null ? null : `${loop.title}: round ${loop.iteration}${loop.total === null ? '' : ` of ${loop.total}`}`
  const { bodies, positions } = indexOf(workflow)
  const before = [...bodies].filter((id) => (positions.get(id) ?? 0) < position).length
  return {
    audience: 'user',
    key,
    title: step.title,
    prompt: step.prompt,
    progress: { position: position - before, of: workflow.steps.length - bodies.size, round },
  }
}

/** The agent's side of a step. */
export function agentView(workflow: Workflow, instance: Instance): StepAgentView {
  const { step, loop } = instance
  const { id, title, prompt, agentRole, guidance, role, askForFiles, functionCalls } = step
  const functionDefinitions = functionsFor(workflow, step, loop?.id ?? null)
  return {
    audience: 'agent',
    step: {
      id,
      title,
      prompt,
      ...definedOnly({ agentRole, guidance, role, askForFiles, functionCalls }),
      ...(confirmationsOf(workflow, instance).length > 0 && { requireConfirmation: true }),
      ...(functionDefinitions.length > 0 && { functionDefinitions }),
    },
    guidance: { prompt: composeStepPrompt(step) },
  }
}

/** The definitions a step names; the innermost one of a name wins. */
function functionsFor(workflow: Workflow, step: Step, loopId: string | null): FunctionDefinition[] {
  const named = [
    ...(step.functionCalls ?? []).map((call) => call.name),
    ...(step.functionReferences ?? []).map((name) => name.slice(0, -2)),
  ]
  if (named.length === 0) return []
  const loop = workflow.steps.find((other) => other.id === loopId)
  const visible = [...(workflow.functionDefinitions ?? []), ...(loop?.functionDefinitions ?? []), ...(step.functionDefinitions ?? [])]
  const byName = new Map(visible.map((definition) => [definition.name, definition]))
  return [...new Set(named)].flatMap((name) => byName.get(name) ?? [])
}

/** What the agent reads: role, then hints, then the prompt. A part that is missing or empty leaves no trace. */
export function composeStepPrompt(step: Pick<Step, 'prompt' | 'agentRole' | 'guidance'>): string {
  const role = step.agentRole ? `## Agent Role\n${step.agentRole}\n\n` : ''
  const hints = step.guidance?.length ? `## Step Guidance\n${step.guidance.map((hint) => `- ${hint}`).join('\n')}\n\n` : ''
  return `${role}${hints}${step.prompt}`
}

/** A step in an outline: there is no place in it for the texts that only the agent reads. */
export type OutlineStep = z.infer<typeof OutlineStep>
const OutlineStep = z.object({
  id: z.string(),
  title: z.string(),
  prompt: z.string().nullable(),
  role: z.string().nullable(),
  runCondition: Condition.nullable(),
  requireConfirmation: z.boolean(),
  validated: z.boolean(),
  get loop() {
    return z
      .object({
        type: z.string(),
        maxIterations: z.int(),
        over: z.union([Condition, z.number(), z.string()]),
        variables: z.array(z.string()),
        body: z.array(OutlineStep),
      })
      .nullable()
  },
})

/** A whole workflow as people see it: the catalogue, `show`, exports and the graph are built from this alone. */
export type WorkflowOutline = z.infer<typeof WorkflowOutline>
export const WorkflowOutline = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  preconditions: z.array(z.string()),
  clarificationPrompts: z.array(z.string()),
  steps: z.array(OutlineStep),
})

/** The same, marked as the person's side. */
export type WorkflowUserView = WorkflowOutline & { audience: 'user' }

/** The person's side of a workflow. */
export function workflowUserView(workflow: Workflow): WorkflowUserView {
  const { id, name, description, version, preconditions = [], clarificationPrompts = [] } = workflow
  const { bodies } = indexOf(workflow)
  const steps = workflow.steps.filter((step) => !bodies.has(step.id)).map((step) => outline(workflow, step))
  return { audience: 'user', id, name, description, version, preconditions, clarificationPrompts, steps }
}

function outline(workflow: Workflow, step: Workflow['steps'][number]): OutlineStep {
  const { id, title, runCondition = null, requireConfirmation = false } = step
  const common = { id, title, runCondition, requireConfirmation: requireConfirmation !== false }
  if (step.type !== 'loop') {
    return { ...common, prompt: step.prompt, role: step.role ?? null, validated: step.validationCriteria !== undefined, loop: null }
  }
  const { type, maxIterations, condition, count, items } = step.loop
  const over = condition ?? count ?? items ?? '' // every kind of loop has one of them
  const body = bodyOf(workflow, step).map((inner) => outline(workflow, inner))
  return {
    ...common,
    prompt: null,
    role: null,
    validated: false,
    loop: { type, maxIterations, over, variables: loopVariables(step.loop), body },
  }
}
