import { composeStepPrompt, workflowUserView } from '../domain/workflow/view.ts'
import { stepsOf, type Step } from '../domain/workflow/workflow.ts'
import { readWorkflow } from './read.ts'
import { workflowWarnings } from './warnings.ts'

/** Checks a text as its author types it, and shows both sides of each step: what people will see beside what the agent will read. For its author alone. */
export async function previewWorkflow(text: string, name: string) {
  const read = await readWorkflow(text, name)
  if ('faults' in read) return { faults: [...read.faults], warnings: [], workflow: null, steps: [] }
  const warnings = await workflowWarnings(read.workflow, text, name)
  return { faults: [], warnings, workflow: workflowUserView(read.workflow), steps: stepsOf(read.workflow).map(bothSides) }
}

function bothSides(step: Step) {
  return { id: step.id, title: step.title, user: step.prompt, agent: composeStepPrompt(step) }
}
