import { nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { questionFlow, type Answer, type Question } from '../../domain/question.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { questions, runs } from '../../store/run-tables.ts'
import { keepAllowed } from './allowed-commands.ts'
import { settleHosts } from './network-leave.ts'

/** What a person gives: the value of an option, words of their own, or both. */
export interface GivenAnswer {
  value?: string | undefined
  text?: string | undefined
}

/** Answers a pending question, once. The run that asked it goes on when it is resumed. */
export async function answerQuestion(driver: Driver, questionId: string, given: GivenAnswer, by: string, now: Date): Promise<Question> {
  const was = await questions.get(driver, questionId)
  if (was.item.status !== 'pending') throw tooLate(was.item)
  const status = nextState(questionFlow, was.item.status, 'answer', 'user')
  const answer: Answer = { ...chosen(was.item, given), by, at: now.toISOString() }
  const { item } = await questions.replace(driver, was, { ...was.item, status, answer })
  await settleHosts(driver, item)
  await keepAllowed(driver, item)
  await waitForNext(driver, item)
  return item
}

/** A run that asked several things at once waits for the next of them, until none is left. */
async function waitForNext(driver: Driver, { id, run_id }: Question): Promise<void> {
  const run = await runs.find(driver, run_id)
  if (run?.item.status !== 'waiting' || run.item.question_id !== id) return
  const [other] = await questionsOf(driver, run.item, 'pending')
  if (other) await runs.replace(driver, run, { ...run.item, question_id: other.id })
}

/** What a run has asked itself, in order. */
export async function questionsOf(
  driver: Driver,
  run: Pick<Run, 'id' | 'thread_id'>,
  ...status: Question['status'][]
): Promise<Question[]> {
  const { id, thread_id } = run
  const asked = await questions.items(driver, { where: { thread_id, ...(status.length > 0 && { status }) } })
  return inOrder(asked.filter(({ run_id }) => run_id === id))
}

/** Said to the one who answers in a window that is behind. */
function tooLate({ status, answer }: Question): Problem {
  const became = answer === null ? status.replace('_', ' ') : `answered by ${answer.by} with: ${answer.label || answer.text}`
  return new Problem('move_refused', `the question is no longer open: it was ${became}`, { details: { state: status } })
}

/** Questions as they were asked. */
export function inOrder(asked: readonly Question[]): Question[] {
  return asked.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id))
}

/** Whether a person has still to answer what a run waits for. */
export async function isAsking(driver: Driver, { question_id }: Run): Promise<boolean> {
  return question_id !== null && (await questions.get(driver, question_id)).item.status === 'pending'
}

/** Withdraws the questions of a thread, or of one run on it, that nobody has to answer any more. */
export async function cancelQuestions(tx: Driver, threadId: string, runId?: string): Promise<void> {
  for (const asked of await questions.list(tx, { where: { thread_id: threadId, status: 'pending' } })) {
    if (runId !== undefined && asked.item.run_id !== runId) continue
    await questions.replace(tx, asked, { ...asked.item, status: nextState(questionFlow, asked.item.status, 'cancel', 'runtime') })
  }
}

/** What became of a question, in the words the model reads. */
export function answerForModel({ content, status, answer }: Question): string {
  if (status !== 'answered' || answer === null)
    return `The question "${content.question}" was ${status.replace('_', ' ')} without an answer.`
  const said = answer.text === '' ? '' : `\nThe user adds: ${answer.text}`
  if (answer.value === '') return `The user answered "${content.question}" in their own words: ${answer.text}`
  return `The user answered "${content.question}" with: ${answer.label} (value: ${answer.value})${said}`
}

function chosen({ id, content }: Question, { value, text = '' }: GivenAnswer): Pick<Answer, 'value' | 'label' | 'text'> {
  const option = content.options.find((candidate) => candidate.value === value)
  if (option) return { value: option.value, label: option.label, text }
  const values = content.options.map((candidate) => candidate.value).join(', ')
  if (value !== undefined)
    throw new Problem('bad_input', `${value} is not an answer to the question ${id}; it takes ${values}, or words of your own`)
  if (text.trim() === '') throw new Problem('bad_input', `an answer to the question ${id} needs a value (${values}) or words of your own`)
  return { value: '', label: '', text }
}
