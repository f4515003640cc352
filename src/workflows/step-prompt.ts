import { jsonObjectsIn } from '../domain/json-in-text.ts'
import type { QuestionContent } from '../domain/question.ts'
import type { NextAnswer } from '../domain/workflow-answer.ts'
import type { UserView } from '../domain/workflow-view.ts'

/** What only the agent reads: it goes into the system prompt, under the heading of the role. */
export function stepInstructions({ agent }: NextAnswer): string {
  const { agentRole = '', guidance = [], functionDefinitions = [] } = agent?.step ?? {}
  const hints = guidance.length === 0 ? '' : `## Step Guidance\n${guidance.map((hint) => `- ${hint}`).join('\n')}`
  const functions = functionDefinitions.map(({ name, definition }) => `## ${name}()\n${definition}`)
  return [agentRole, hints, ...functions].filter((part) => part !== '').join('\n\n')
}

/** What the agent is asked for, in words that people may read in the thread. */
export function stepRequest({ user, loop, missing }: NextAnswer, feedback: string): string {
  const answerWith =
    'Answer with what came of it. To set context variables, end the answer with a JSON object {"context": {"name": value}}.'
  if (user === null) return `Before the next step can be chosen, find out: ${missing.join(', ')}.\n\n${answerWith}`
  const round =
    loop === null
      ? ''
      : Object.entries(loop.variables)
          .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
          .join('\n')
  const before = feedback === '' ? '' : `Your last output was not taken: ${feedback}`
  return [user.title, user.prompt, round, before, answerWith].filter((part) => part !== '').join('\n\n')
}

/** The context variables that an output sets: the last JSON object that has a `context`. */
export function contextIn(output: string): Record<string, unknown> {
  for (const { value } of jsonObjectsIn(output).toReversed()) {
    const context = isRecord(value) ? value['context'] : undefined
    if (isRecord(context)) return context
  }
  return {}
}

/** The card on which a person confirms an output; like every surface for people it is built from their view. */
export function confirmQuestion(user: UserView, output: string): QuestionContent {
  return {
    type: 'question',
    question: `Is this step done: ${user.title}?`,
    context: `${user.prompt}\n\nWhat came of it:\n${output}`,
    severity: 'major',
    options: [
      { label: 'Confirm', value: 'confirm', description: 'The step is done as it should be.' },
      { label: 'Send back', value: 'send_back', description: 'It is carried out again, with what you add in your own words.' },
    ],
    default: null,
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
