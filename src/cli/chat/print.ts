import { callTarget } from '../../domain/call-target.ts'
import { cutTexts } from '../../domain/entry.ts'
import type { ChatMessage } from '../../domain/chat.ts'
import { spentText, shorten } from '../../domain/text/format.ts'
import type { Plan } from '../../domain/plan.ts'
import { STEP_MARK } from '../../domain/text/step-mark.ts'
import type { Question } from '../../domain/question.ts'
import type { viewChat } from '../../chat/view.ts'
import { paint, shown } from '../terminal.ts'

type ChatShown = Awaited<ReturnType<typeof viewChat>>

/** A chat as lines of text: what was said, done, planned and asked. What models and files wrote is shown, never obeyed by the terminal. */
export function chatText(chat: ChatShown): string {
  const head = `${paint('bold', shown(chat.title))}  ${paint('dim', `${chat.id} · ${roleText(chat)} · ${chat.workspace} · ${usedText(chat)}`)}`
  return [head, ...chat.messages.map((message) => messageText(chat, message))].filter(Boolean).join('\n\n')
}

/** The role that is enforced now, and the one the next turn has where a person switched meanwhile. */
export function roleText({ agent_role, enforced_role }: Pick<ChatShown, 'agent_role' | 'enforced_role'>): string {
  return shown(enforced_role === agent_role ? agent_role : `${enforced_role}, then ${agent_role}`)
}

/** What a chat has used, of its limits where it has any. */
export function usedText({ usage, config, run }: Pick<ChatShown, 'usage' | 'config' | 'run'>): string {
  const { max_tokens, max_cost_microusd } = config.limits
  const tokens = (usage.input_tokens + usage.output_tokens).toLocaleString('en')
  return [
    `${usage.estimated === true ? '≈' : ''}${tokens}${max_tokens === null ? '' : ` of ${max_tokens.toLocaleString('en')}`} tokens`,
    spentText(usage, max_cost_microusd),
    ...(run === null || run.context_window === null ? [] : [`context ${Math.round((100 * run.context_tokens) / run.context_window)} %`]),
  ].join(' · ')
}

/** One message as text; calls are told by their results. */
function messageText(chat: ChatShown, message: ChatMessage): string {
  switch (message.type) {
    case 'text':
      if (message.from === 'user') return `${paint('cyan', '›')} ${shown(message.text)}`
      return [by(message.role), saidText(message.text), ...(message.cut ? [paint('yellow', cutTexts[message.cut])] : [])].join('\n')
    case 'plan':
      return `${by(message.role ?? 'you')}\n${planOf(chat, message.plan_id)}`
    case 'question':
      return `${by(message.role ?? 'troupe')}\n${questionOf(chat, message.question_id)}`
    case 'tool_call':
      return ''
    case 'tool_result':
      return [toolLine(message, inputOf(chat.messages, message.call_id)), ...delegatedLines(chat, message.call_id)].join('\n')
    case 'undo':
    case 'role_change':
      return paint('dim', `── ${shown(message.text)}`)
    case 'thoughts':
      return paint('dim', `  thought: ${firstLine(message.text)}`)
    case 'compaction':
      return paint('dim', `── ${firstLine(message.text)}`)
    case 'error':
      return paint('red', `! ${shown(message.text)}`)
  }
}

/** What a model says as it can be shown; its marks of progress stand apart from its words. */
export function saidText(text: string): string {
  return shown(text).replaceAll(STEP_MARK, (line, mark: string) => line.replace(/\[.*\]/, () => paint('dim', `· ${mark}`)))
}

/** One line for a call that is over: what, about what, how it ended. What a tool that only did its work has to say is left out. */
export function toolLine({ tool, outcome, output }: { tool: string; outcome: string; output: string }, input: unknown): string {
  const mark = outcome === 'ok' ? paint('green', '✓') : paint('yellow', outcome)
  const target = firstLine(callTarget(input))
  const told = outcome === 'ok' && target !== '' && tool !== 'execute_command' ? [target] : [target, firstLine(output)]
  return `  ${mark} ${tool} ${paint('dim', told.filter(Boolean).join(': '))}`.trimEnd()
}

/** What a call is about, or its answer, as far as it fits into a line. */
export function firstLine(text: string): string {
  return shorten(shown(text.split('\n').find((line) => line.trim() !== '') ?? ''), 100)
}

/** A plan to read before it is executed. */
export function printedPlan({ version, status, content }: Plan): string {
  const steps = content.steps.map((step) => {
    const why = step.reason === '' ? '' : `\n     ${paint('dim', shown(step.reason))}`
    return `  ${step.step_number}. ${shown(step.action)}${why}`
  })
  const risks = content.risks.map((risk) => `  ${paint('yellow', 'risk')} ${shown(risk)}`)
  return [`${paint('bold', `Plan ${version}`)} (${status}): ${shown(content.goal)}`, ...steps, ...risks].join('\n')
}

/** A question with its numbered options; the default is marked unless the question is critical. */
export function questionText({ content, status, answer }: Question): string {
  const style = content.severity === 'critical' ? 'red' : content.severity === 'major' ? 'yellow' : 'dim'
  const options = content.options.map((option, at) => {
    const marked = option.value === content.default && content.severity !== 'critical' ? paint('dim', ' (suggested)') : ''
    return `  ${at + 1}. ${shown(option.label)}${marked}${option.description === '' ? '' : paint('dim', `: ${shown(option.description)}`)}`
  })
  const asked = [
    `${paint(style, `${content.severity === 'minor' ? 'Question' : `${content.severity} question`}:`)} ${paint('bold', shown(content.question))}`,
    ...(content.context === '' ? [] : [shown(content.context)]),
  ]
  const end = status === 'pending' ? options : [`  ${status}: ${shown(answer?.label || answer?.text || '')}`]
  return [...asked, ...end].join('\n')
}

/** What an agent did that a call started, each call one line below it, with the role that made it. */
function delegatedLines({ delegated }: ChatShown, callId: string): string[] {
  const messages = delegated.find(({ call_id }) => call_id === callId)?.messages ?? []
  return messages.flatMap((message) =>
    message.type === 'tool_result' ? [`  ${shown(message.role)}${toolLine(message, inputOf(messages, message.call_id))}`] : [],
  )
}

function inputOf(messages: readonly ChatMessage[], callId: string): unknown {
  const call = messages.find((message) => message.type === 'tool_call' && message.call_id === callId)
  return call?.type === 'tool_call' ? call.input : undefined
}

function by(role: string | null): string {
  return paint('bold', shown(role ?? 'assistant'))
}

function planOf(chat: ChatShown, id: string): string {
  const plan = chat.plans.find((each) => each.id === id)
  return plan ? printedPlan(plan) : ''
}

function questionOf(chat: ChatShown, id: string): string {
  const question = chat.questions.find((each) => each.id === id)
  return question ? questionText(question) : ''
}
