import { inputRequired } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { hiddenTexts, maskRoles } from '../domain/text/mask-role.ts'
import { Problem } from '../domain/problem.ts'
import { shorten } from '../domain/text/shorten.ts'
import type { RunAnswer, RunCall } from '../workflows/handle.ts'
import { nextStep } from '../workflows/next.ts'
import { NextOutput, nextReply } from './next-output.ts'
import { advancesHints, defineMcpTool, readsOnlyHints, createsHints, type McpServices, type Person, type McpReply } from './tool.ts'

/** How every tool names a workflow. */
export const workflowId = z.string().max(200).describe('The id of a workflow, from workflow_list.')
const context = z
  .record(z.string(), z.unknown())
  .describe('Variables that conditions test, at most 256 KiB. Within a run: only what is new.')

// What needs the store is loaded by the first call of a run: most servers are asked for steps only.

/** The form a person fills in to confirm a step. */
export const ConfirmForm = z.object({
  confirm: z.boolean().describe('Yes, this step is done as it should be.'),
  comment: z.string().optional().describe('What should be different, if not.'),
})

/** The name under which the form travels. */
export const CONFIRM_FORM_NAME = 'confirm'

export const startTool = defineMcpTool({
  name: 'workflow_start',
  title: 'Start a run',
  description: 'Starts a durable run of a workflow and gives its first step and a run handle for workflow_next.',
  input: z.strictObject({ workflowId, context: context.default({}) }),
  output: NextOutput,
  annotations: createsHints,
  example: { workflowId: 'feature-planning', context: {} },
  run: async (input, { catalogue, store, now }) => {
    const entry = await catalogue.find(input.workflowId)
    const { startWorkflowRun } = await import('../workflows/start.ts')
    const answer = await startWorkflowRun(await store(), entry, input.context, now())
    return nextReply(answer, entry.workflow, { run: answer.run, first: true })
  },
})

export const nextTool = defineMcpTool({
  name: 'workflow_next',
  title: 'Get the next step',
  description:
    'Gives the next step. In a run: {run, output}, where output is what came of the step before. Without: {workflowId, completedSteps, context}. agentRole and guidance are for you; show users the prompt.',
  input: z.strictObject({
    workflowId: workflowId.optional(),
    completedSteps: z.array(z.string()).optional().describe('The stepKey of every step done so far.'),
    context: context.optional(),
    run: z.string().optional().describe('The run handle of the last answer.'),
    output: z.string().max(100_000).optional().describe('What came of the open step of the run.'),
    confirmation: z.string().max(100).optional().describe('The code a user was shown to confirm the output.'),
  }),
  output: NextOutput,
  annotations: advancesHints,
  example: { workflowId: 'feature-planning', completedSteps: [], context: {} },
  run: async ({ workflowId: id, completedSteps, run, ...call }, services, person) => {
    if (run !== undefined) {
      if (id !== undefined || completedSteps !== undefined) throw eitherOr({ run, ...call })
      return nextInRun({ ...call, run }, services, person)
    }
    if (id === undefined || call.output !== undefined || call.confirmation !== undefined)
      throw eitherOr({ workflowId: id ?? nextTool.example.workflowId, completedSteps: completedSteps ?? [], context: call.context ?? {} })
    const { workflow } = await services.catalogue.find(id)
    const done = completedSteps ?? []
    return nextReply(nextStep(workflow, done, call.context ?? {}), workflow, { run: null, first: done.length === 0 })
  },
})

const Found = z.object({
  run: z.string(),
  workflowId: z.string(),
  name: z.string(),
  step: z.string().nullable(),
  done: z.int(),
  waits_for: z.array(z.string()),
  updated_at: z.string(),
})

export const resumeTool = defineMcpTool({
  name: 'workflow_resume',
  title: 'Find a run again',
  description: 'Lists the open runs with their newest handles; with run (its id or any of its handles) gives that run and its open step.',
  input: z.strictObject({ run: z.string().max(200).optional() }),
  output: z.object({ runs: z.array(Found), open: NextOutput.nullable() }),
  annotations: readsOnlyHints,
  example: {},
  run: async ({ run }, { store, now }) => {
    const { openRuns, resumeRun } = await import('../workflows/resume.ts')
    const driver = await store()
    const runs = await openRuns(driver)
    if (run === undefined) return { structured: { runs, open: null }, forUser: runs.map(lineOf).join('\n') || 'There are no open runs.' }
    const answer = await resumeRun(driver, run, now())
    const { structured: open, forUser } = nextReply(answer, answer.workflow, { run: answer.run, first: true })
    return { structured: { runs: runs.filter((other) => other.run === answer.run), open }, forUser }
  },
})

function lineOf({ name, step, done, waits_for }: z.infer<typeof Found>): string {
  const at = step ?? `waiting for ${waits_for.join(', ')}`
  return `${name}: ${done} done, at "${at}"`
}

async function nextInRun(call: RunCall, { store, now }: McpServices, behind: () => Person): Promise<McpReply<NextOutput>> {
  const { advanceRun } = await import('../workflows/advance.ts')
  const driver = await store()
  const answer = await advanceRun(driver, call, now())
  const { workflow } = answer
  const person = behind()
  if (answer.status === 'confirmation_required' && person.canBeAsked && person.reply === 'missing') {
    return { ask: inputRequired({ inputRequests: { [CONFIRM_FORM_NAME]: confirmRequest(answer, call.output ?? '') } }) }
  }
  const final =
    answer.status === 'confirmation_required'
      ? await afterAsking(answer, person, () => advanceRun(driver, { ...call, confirmed_by: 'user' }, now()))
      : answer
  return nextReply(final, workflow, { run: final.run, first: false })
}

async function afterAsking(answer: RunAnswer, person: Person, confirm: () => Promise<RunAnswer>): Promise<RunAnswer> {
  if (person.reply === 'confirmed') return confirm()
  if (person.reply === 'missing') return answer
  return {
    ...answer,
    status: 'invalid',
    issues: [`The user did not confirm the step.${person.comment === '' ? '' : ` They said: ${person.comment}`}`],
  }
}

/** Asked of a person, so it is built from what people may see. */
function confirmRequest({ user, workflow }: RunAnswer, output: string) {
  const message = `${workflow.name}: is this step done?\n\n${user?.title}\n${user?.prompt}\n\nWhat came of it:\n${shorten(maskRoles(output, hiddenTexts(workflow)), 2000)}`
  return inputRequired.elicit({ message, requestedSchema: ConfirmForm })
}

function eitherOr(right: Record<string, unknown>): Problem {
  return new Problem(
    'bad_input',
    'workflow_next takes either {run, output, context?, confirmation?} within a run or {workflowId, completedSteps, context?} without one',
    { details: { field: 'arguments', expected: 'either run or workflowId', arguments: right } },
  )
}
