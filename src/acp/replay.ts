import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ChatMessage } from '../domain/chat.ts'
import type { Plan } from '../domain/plan.ts'
import type { Question } from '../domain/question.ts'
import { planText } from './plan.ts'
import { endedCall, shownCall } from './tool-call.ts'

/** What the messages of a chat refer to. */
interface Records {
  workspace: string
  plans: readonly Plan[]
  questions: readonly Question[]
}

/** A message of the past, as the editor would have been told of it. */
export function replayed(message: ChatMessage, records: Records): SessionUpdate[] {
  switch (message.type) {
    case 'text':
      return message.from === 'user' ? [fromUser(message.text)] : [fromAgent(message.text)]
    case 'plan': {
      const plan = records.plans.find(({ id }) => id === message.plan_id)
      return [fromAgent([message.prose, plan && planText(plan)].filter(Boolean).join('\n\n'))]
    }
    case 'question': {
      const question = records.questions.find(({ id }) => id === message.question_id)
      return [fromAgent([message.prose, question && questionMarkdown(question)].filter(Boolean).join('\n\n'))]
    }
    case 'thoughts':
      return [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: message.text } }]
    case 'tool_call':
      return [{ sessionUpdate: 'tool_call', ...shownCall(message.call_id, message.tool, message.input, records.workspace) }]
    case 'tool_result':
      return [
        {
          sessionUpdate: 'tool_call_update',
          ...endedCall(message.call_id, message.outcome, message.output, message.details, records.workspace),
        },
      ]
    case 'role_change':
    case 'compaction':
    case 'undo':
    case 'error':
      return [fromAgent(`*${message.text}*`)]
  }
}

/** A question with what was answered, or with what can be. */
export function questionMarkdown({ content, answer }: Pick<Question, 'content' | 'answer'>): string {
  const options = content.options.map(({ label, description }, at) => `${at + 1}. ${label}${description === '' ? '' : `: ${description}`}`)
  const said = answer === null ? options : [`Answer: ${answer.label || answer.text}`]
  return [`**${content.question}**`, content.context, ...said].filter(Boolean).join('\n')
}

function fromUser(text: string): SessionUpdate {
  return { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } }
}

function fromAgent(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n\n` } }
}
