import { newQuestion } from '../../agent/person/proposals.ts'
import type { Question, QuestionContent } from '../../domain/question.ts'
import { shorten } from '../../domain/text/format.ts'
import type { WorkflowPlayStep } from '../../domain/workflow/play.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { questions, runs, workflowPlaySteps } from '../../store/tables.ts'
import type { Session, StepOutcome } from './step.ts'
import type { StepAssignment } from './assignment.ts'

export const CONFIRM_ANSWER = 'confirm'
export const STOP_ANSWER = 'stop'
const SEND_BACK = 'send_back'
const TRY_AGAIN = 'try_again'

/** A person reads the output on the run itself; the question need not hold a book. */
const SHOWN_CHARS = 8_000

const stopOption = { label: 'Stop here', value: STOP_ANSWER, description: 'The run can be continued later.' }

/** Asks whether the step counts as done. Nothing is suggested: silence and haste are no agreement. */
export function askConfirmation(
  session: Session,
  task: StepAssignment,
  was: Stored<WorkflowPlayStep>,
  output: string,
): Promise<StepOutcome> {
  const question = `Is this step done: ${task.title}?`
  const options = [
    { label: 'Confirm', value: CONFIRM_ANSWER, description: 'The step is done as it should be; the next one starts.' },
    { label: 'Send back', value: SEND_BACK, description: 'Say below what is missing; the agent works on it again.' },
    stopOption,
  ]
  return put(session, task, was, { waits_for: 'confirmation' }, { question, context: shorten(output, SHOWN_CHARS), options })
}

/** Asks what to do when the agent could not meet what the step demands, or could not find out what is missing. */
export function askForHelp(
  session: Session,
  task: StepAssignment,
  was: Stored<WorkflowPlayStep>,
  issues: readonly string[],
  change: Partial<WorkflowPlayStep>,
): Promise<StepOutcome> {
  const [variable] = task.missing
  const context = issues.map((issue) => `- ${issue}`).join('\n')
  if (variable !== undefined) {
    const question = `What is \`${variable}\`? Give a word, a number, true, false or JSON.`
    return put(session, task, was, { ...change, waits_for: 'variable' }, { question, context, options: [stopOption] })
  }
  const again = { label: 'Try again', value: TRY_AGAIN, description: 'Say below what would help.' }
  const question = `"${task.title}" was not accepted ${change.attempts ?? 0} times. What now?`
  return put(session, task, was, { ...change, waits_for: 'help' }, { question, context, options: [again, stopOption] })
}

/** The question a play waits for: one about its step, or one of the agent itself. */
export async function waitingQuestion(driver: Driver, playId: string): Promise<Question | null> {
  const latest = await workflowPlaySteps.items(driver, { where: { run_id: playId }, order: ['-number'], limit: 2 })
  // Finding something out and the step after it have the same number; the younger one is the open one.
  const [step] = latest.toSorted((a, b) => b.number - a.number || b.started_at.localeCompare(a.started_at))
  const last = step?.runs.at(-1)
  const run = last === undefined ? null : (await runs.get(driver, last)).item
  const id = step?.question_id ?? (run?.status === 'waiting' ? run.question_id : null)
  return id === null ? null : (await questions.get(driver, id)).item
}

async function put(
  { context, play }: Session,
  task: StepAssignment,
  was: Stored<WorkflowPlayStep>,
  change: Partial<WorkflowPlayStep>,
  asked: Pick<QuestionContent, 'question' | 'context' | 'options'>,
): Promise<StepOutcome> {
  const now = context.agent.now()
  const asking = { id: was.item.runs.at(-1) ?? '', thread_id: play.item.id, agent_role: task.agent_role }
  const question = newQuestion(asking, { type: 'question', severity: 'major', default: null, ...asked }, null, now)
  await context.agent.driver.transaction(async (tx) => {
    await questions.add(tx, question)
    await workflowPlaySteps.replace(tx, was, { ...was.item, ...change, question_id: question.id })
  })
  context.onNews({ run: play.item.id, title: task.title, type: 'waits', question: asked.question })
  return 'waiting'
}
