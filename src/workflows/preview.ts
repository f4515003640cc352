import { composePrompt, workflowUserView, type WorkflowUserView } from '../domain/workflow-view.ts'
import { stepsOf, type Step } from '../domain/workflow.ts'
import { readWorkflow, type WorkflowFault } from './read.ts'

/** One step of a text that is being written: what people will see of it beside what the agent will read. For its author alone. */
export interface StepPreview {
  id: string
  title: string
  user: string
  agent: string
}

/** What a text amounts to while it is written. */
export interface Preview {
  faults: readonly WorkflowFault[]
  workflow: WorkflowUserView | null
  steps: StepPreview[]
}

/** Checks a text as its author types it, and shows both sides of each step. */
export async function previewWorkflow(text: string, name: string): Promise<Preview> {
  const read = await readWorkflow(text, name)
  if ('faults' in read) return { faults: read.faults, workflow: null, steps: [] }
  return { faults: [], workflow: workflowUserView(read.workflow), steps: stepsOf(read.workflow).map(bothSides) }
}

function bothSides(step: Step): StepPreview {
  return { id: step.id, title: step.title, user: step.prompt, agent: composePrompt(step) }
}
