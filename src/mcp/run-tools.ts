import { inputRequired } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { hiddenTexts, maskRoles } from '../domain/text/mask-role.ts'
import { Problem } from '../domain/problem.ts'
import { shorten } from '../domain/text/format.ts'
import type { RunAnswer, RunCall } from '../workflows/handle.ts'
import { nextStep } from '../workflows/next.ts'
import { NextOutput, nextReply } from '../workflows/client-answer.ts'
import { advanceStep, nextStepOf, startFor, startByClient } from '../workflows/follow.ts'
import { clientToolOf, type McpServices, type Person, type McpReply } from './tool.ts'

/** The form a person fills in to confirm a step. */
export const ConfirmForm = z.object({
  confirm: z.boolean().describe('Yes, this step is done as it should be.'),
  comment: z.string().optional().describe('What should be different, if not.'),
})

/** The name under which the form travels. */
export const CONFIRM_FORM_NAME = 'confirm'

export const startTool = clientToolOf(startByClient, {
  name: 'workflow_start',
  title: 'Start a run',
  input: startByClient.input,
  output: NextOutput,
  example: startByClient.example,
  run: async (input, services) => {
    const answer = await startFor(services, input)
    return nextReply(answer, answer.workflow, { run: answer.run, first: true })
  },
})

const { run: runHandle, ...inRun } = advanceStep.input.shape
const { workflowId: wanted, completedSteps: done } = nextStepOf.input.shape

/** Both ways to go on: with a run, and without one. */
export const nextTool = clientToolOf(advanceStep, {
  name: 'workflow_next',
  title: 'Get the next step',
  repeatable: true,
  input: z.strictObject({
    workflowId: wanted.optional(),
    completedSteps: done.removeDefault().optional(),
    run: runHandle.optional(),
    ...inRun,
  }),
  output: NextOutput,
  example: { workflowId: 'feature-planning', completedSteps: [], context: {} },
  run: async ({ workflowId, completedSteps, run, ...call }, services, person) => {
    if (run !== undefined) {
      if (workflowId !== undefined || completedSteps !== undefined) throw eitherOr({ run, ...call })
      return nextInRun({ ...call, run }, services, person)
    }
    if (workflowId === undefined || call.output !== undefined || call.confirmation !== undefined) {
      const id = workflowId ?? nextStepOf.example.workflowId
      throw eitherOr({ workflowId: id, completedSteps: completedSteps ?? [], context: call.context ?? {} })
    }
    const { workflow } = await services.catalogue.find(workflowId)
    const before = completedSteps ?? []
    return nextReply(nextStep(workflow, before, call.context ?? {}), workflow, { run: null, first: before.length === 0 })
  },
})

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
