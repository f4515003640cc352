import { FORMAT_VERSION, type Workflow } from '../domain/workflow.ts'

/** A first draft that is valid as it stands and shows the three texts of a step side by side. */
export function draftWorkflow(id: string): Workflow {
  return {
    formatVersion: FORMAT_VERSION,
    id,
    name: id.replaceAll('-', ' '),
    description: 'What this workflow is for, in one or two sentences.',
    version: '0.1.0',
    steps: [
      {
        id: 'understand',
        title: 'Understand the task',
        prompt: 'What people read: say what is to be done in this step and what its result is.',
        agentRole: 'What only the agent reads: who to be, how to proceed, what to refrain from. Ask before you assume.',
        guidance: ['A hint that helps with this step'],
      },
      {
        id: 'carry-out',
        title: 'Carry it out',
        prompt: 'Do it, and show what came of it.',
        agentRole: 'Act as a careful craftsman. Change nothing that the task does not ask for, and show evidence for what you claim.',
        validationCriteria: [{ type: 'length', min: 20, message: 'Show what was done.' }],
      },
    ],
  }
}
