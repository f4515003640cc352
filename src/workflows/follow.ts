import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { DescribedDecision, type NextAnswer } from '../domain/workflow/answer.ts'
import { StepUserView } from '../domain/workflow/view.ts'
import { NextOutput, nextOutput } from './client-answer.ts'
import type { WorkflowContext } from './context.ts'
import type { RunAnswer } from './handle.ts'
import { nextStep } from './next.ts'
import { WorkflowId } from './show.ts'

// What needs the store is loaded by the first call of a run: most MCP servers are asked for steps only.

/** How every operation names the variables it is given. */
export const ContextVariables = z.record(z.string(), z.unknown()).describe('Variables that conditions test, at most 256 KiB.')

/** What people see of the step that comes next, or why there is none. `run` is the handle for the next call. */
export type NextStepView = z.infer<typeof NextStepView>
const NextStepView = DescribedDecision.pick({ status: true, missing: true, issues: true }).extend({
  step: StepUserView.omit({ audience: true }).nullable(),
  run: z.string().nullable(),
})

export const startByClient = defineOperation({
  name: 'workflow.start',
  summary: 'Start a run that you or another agent carries out, and show its first step',
  advice: 'Starts a durable run of a workflow and gives its first step and a run handle for workflow_next.',
  by: ['person', 'client'],
  effect: 'change',
  command: 'workflow start <workflowId>',
  input: z.strictObject({ workflowId: WorkflowId, context: ContextVariables.default({}) }),
  output: NextStepView,
  example: { workflowId: 'feature-planning' },
  tell: tellStep,
  run: async (context: WorkflowContext, input) => {
    const answer = await startFor(context, input)
    return stepView(answer, answer.run)
  },
})

/** The same with the agent's side of the step. */
export async function startFor(
  { catalogue, store, now }: WorkflowContext,
  input: z.output<typeof startByClient.input>,
): Promise<RunAnswer> {
  const entry = await catalogue.find(input.workflowId)
  const { startWorkflowRun } = await import('./start.ts')
  return startWorkflowRun(await store(), entry, input.context, now())
}

export const nextStepOf = defineOperation({
  name: 'workflow.next',
  summary: 'Show the next step of a workflow without a run, from the steps that are done',
  by: ['person', 'client'],
  effect: 'read',
  command: 'workflow next <workflowId>',
  absent: { mcp: 'workflow_next gives it when no run is named' },
  input: z.strictObject({
    workflowId: WorkflowId,
    completedSteps: z.array(z.string()).describe('The stepKey of every step done so far.').default([]),
    context: ContextVariables.default({}),
  }),
  output: NextStepView,
  example: { workflowId: 'feature-planning', context: { size: 'large' } },
  tell: tellStep,
  run: async ({ catalogue }: WorkflowContext, { workflowId, completedSteps, context }) => {
    const { workflow } = await catalogue.find(workflowId)
    return stepView(nextStep(workflow, completedSteps, context), null)
  },
})

export const advanceStep = defineOperation({
  name: 'workflow.advance',
  summary: 'Hand in the result of the open step of a run, and show the next one',
  advice:
    'Gives the next step. In a run: {run, output}, where output is what came of the step before. Without: {workflowId, completedSteps, context}. agentRole and guidance are for you; show users the prompt.',
  by: ['person', 'client'],
  effect: 'change',
  command: 'workflow advance <run>',
  input: z.strictObject({
    run: z.string().describe('The run handle of the last answer.'),
    output: z.string().max(100_000).optional().describe('What came of the open step of the run.'),
    context: ContextVariables.optional().describe('Variables that conditions test, at most 256 KiB. Within a run: only what is new.'),
    confirmation: z.string().max(100).optional().describe('The code a user was shown to confirm the output.'),
  }),
  output: NextStepView,
  example: { run: 'wf_Zk3vQ0aXn7Lr2mTc5YbPd8Ws.0', output: 'Read the three files and listed their faults' },
  tell: tellStep,
  run: async ({ store, now }: WorkflowContext, call) => {
    const { advanceRun } = await import('./advance.ts')
    const answer = await advanceRun(await store(), call, now())
    return stepView(answer, answer.run)
  },
})

const OpenRun = z.object({
  run: z.string(),
  workflowId: z.string(),
  name: z.string(),
  step: z.string().nullable(),
  done: z.int(),
  waits_for: z.array(z.string()),
  updated_at: z.string(),
})

export const resumeRuns = defineOperation({
  name: 'workflow.resume',
  summary: 'Find an open run, with its newest handle and its open step',
  advice: 'Lists the open runs with their newest handles; with run (its id or any of its handles) gives that run and its open step.',
  by: ['client'],
  effect: 'read',
  input: z.strictObject({ run: z.string().max(200).optional() }),
  output: z.object({ runs: z.array(OpenRun), open: NextOutput.nullable() }),
  example: {},
  tell: ({ runs, open }) =>
    open === null ? runs.map(lineOf).join('\n') || 'There are no open runs.' : [open.step?.title, open.step?.prompt].join('\n\n'),
  run: async ({ store, now }: WorkflowContext, { run }) => {
    const { openRuns, resumeWorkflowRun } = await import('./resume.ts')
    const driver = await store()
    const runs = await openRuns(driver)
    if (run === undefined) return { runs, open: null }
    const answer = await resumeWorkflowRun(driver, run, now())
    const open = nextOutput(answer, answer.workflow, { run: answer.run, first: true })
    return { runs: runs.filter((other) => other.run === answer.run), open }
  },
})

function lineOf({ name, step, done, waits_for }: z.infer<typeof OpenRun>): string {
  return `${name}: ${done} done, at "${step ?? `waiting for ${waits_for.join(', ')}`}"`
}

function stepView({ status, missing, issues, user }: NextAnswer, run: string | null): NextStepView {
  return { status, missing, issues, step: user, run }
}

/** The step as text. */
export function tellStep({ status, step, missing, issues }: NextStepView): string {
  if (status === 'complete') return ['The workflow is complete.', ...issues].join('\n')
  if (step === null) return `Waiting for ${missing.join(', ')}: ${issues.join('; ')}.`
  const { position, of, round } = step.progress
  const head = `${step.title} (step ${position} of ${of}${round === null ? '' : `, ${round}`}; ${step.key})`
  return [head, '', step.prompt, ...(issues.length > 0 ? ['', ...issues] : [])].join('\n')
}
