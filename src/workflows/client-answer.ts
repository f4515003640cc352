import * as z from 'zod'
import { DescribedDecision, type NextAnswer } from '../domain/workflow/answer.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'

/** Told loosely: each word of a schema is in the context of every client that lists the tools. */
const AgentStep = z.looseObject({
  id: z.string(),
  title: z.string(),
  prompt: z.string(),
  agentRole: z.string().optional(),
  guidance: z.array(z.string()).optional(),
})

/** What `workflow_next` and `workflow_start` answer: one shape, told apart by `status`. */
export type NextOutput = z.infer<typeof NextOutput>
export const NextOutput = z.object({
  status: DescribedDecision.shape.status,
  step: AgentStep.nullable(),
  guidance: z.object({ prompt: z.string().describe('Role, hints and prompt in one text: follow it.') }),
  isComplete: z.boolean(),
  next: z.string().describe('Which call to make next.'),
  run: z.string().nullable().describe('The handle for the next call; it changes with every step.'),
  stepKey: z.string().nullable().describe('Goes into completedSteps when the step is done.'),
  loop: z.looseObject({ iteration: z.int() }).nullable(),
  missing: z.array(z.string()),
  issues: z.array(z.string()),
  trace: z.array(z.looseObject({ step: z.string(), why: z.string() })),
  workflow: z.looseObject({ name: z.string() }).optional(),
})

/** An answer as it goes over the wire. `first` adds what the author says about the workflow as a whole. */
export function nextOutput(answer: NextAnswer, workflow: Workflow, how: { run: string | null; first: boolean }): NextOutput {
  const { status, key, agent, loop, missing, issues, trace } = answer
  const { name, preconditions = [], clarificationPrompts = [], metaGuidance = [] } = workflow
  return {
    status,
    loop,
    missing,
    issues,
    trace,
    step: agent?.step ?? null,
    guidance: { prompt: promptFor(answer) },
    isComplete: answer.status === 'complete',
    stepKey: key,
    run: how.run,
    next: nextCall(answer, workflow, how.run),
    ...(how.first && { workflow: { name, preconditions, clarificationPrompts, metaGuidance } }),
  }
}

/** The whole answer of a tool, for both. */
export function nextReply(answer: NextAnswer, workflow: Workflow, how: Parameters<typeof nextOutput>[2]) {
  return { structured: nextOutput(answer, workflow, how), forUser: nextForUser(answer, workflow) }
}

/** The part of an answer that people may see. */
function nextForUser({ status, user, missing }: NextAnswer, workflow: Workflow): string {
  if (status === 'complete') return `${workflow.name}: complete.`
  if (user === null) return `${workflow.name}: waiting for ${missing.join(', ')}.`
  const { position, of, round } = user.progress
  return `${workflow.name}, step ${position} of ${of}${round === null ? '' : ` (${round})`}: ${user.title}\n\n${user.prompt}`
}

function promptFor({ status, agent, missing, issues }: NextAnswer): string {
  if (status === 'complete') return 'Workflow complete.'
  if (status === 'blocked')
    return `Nobody can tell what comes next: ${issues.join('; ')}. Find out ${missing.join(', ')} and send it in context.`
  return agent?.guidance.prompt ?? ''
}

function nextCall({ status, key, missing, issues, agent }: NextAnswer, workflow: Workflow, run: string | null): string {
  const handle = run === null ? `"workflowId": "${workflow.id}"` : `"run": "${run}"`
  const files = agent?.step.askForFiles ? 'Ask the user for the files you need. ' : ''
  const leave = agent?.step.requireConfirmation ? 'Ask the user whether the step is done as it should be. ' : ''
  if (status === 'complete') return ['Nothing is left to do; tell the user what came of it.', ...issues].join(' ')
  if (status === 'blocked')
    return `Call workflow_next again with {${handle}, "context": {${missing.map((name) => `"${name}": …`).join(', ')}}}; the rest as before.`
  if (status === 'invalid')
    return `Improve the output until it meets this, then call workflow_next with {${handle}, "output": …}: ${issues.join(' ')}`
  if (status === 'confirmation_required') {
    return `${issues.join(' ')} Tell the user that Troupe shows them the code as the status of the run ${run?.split('.')[0]}, on its page and in a terminal, ask them for it, then call workflow_next with {${handle}, "output": the same text, "confirmation": the code}.`
  }
  const note = issues.map((issue) => `${issue} `).join('')
  if (run !== null) return `${note}${files}Carry out the step, then call workflow_next with {${handle}, "output": what came of it}.`
  return `${files}Carry out the step. ${leave}Then call workflow_next with {${handle}} and "${key}" added to completedSteps.`
}
