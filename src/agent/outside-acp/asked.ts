import type { Entry, ToolCall } from '../../domain/entry.ts'
import { newId } from '../../domain/id.ts'
import type { Driver } from '../../store/driver.ts'
import { questions } from '../../store/run-tables.ts'
import { askUserTool } from '../../tools/ask-user.ts'
import { formFields, elicitationAnswer } from './form.ts'
import type { AcpPlay } from './performer.ts'
import { ALLOW_ONCE, leaveFor, permissionAnswer } from './permission.ts'
import type { AgentSession, AgentAsked } from './session.ts'

/** What an agent asks is decided at once, or becomes calls of `ask_user`: the run waits for a person then, as for our own agents. */
export function callsFor(asked: AgentAsked, { run, approvals }: AcpPlay, session: AgentSession): ToolCall[] {
  const found = asked.type === 'permission' ? leaveCalls(asked, run, approvals) : formFields(asked.asked).map(({ question }) => question)
  const calls = found.map((input) => ({ id: newId('ask', new Date()), tool: askUserTool.name, input }))
  const [first] = calls
  if (first === undefined) {
    if (asked.type === 'form') asked.answer(elicitationAnswer(null))
    return []
  }
  session.open.set(calls.map(({ id }) => id).join(' '), asked)
  return calls
}

function leaveCalls(asked: Extract<AgentAsked, { type: 'permission' }>, ...[run, approvals]: [AcpPlay['run'], AcpPlay['approvals']]) {
  const leave = leaveFor(asked.asked, run, approvals)
  if (leave.verdict === 'ask') return [leave.question]
  asked.answer(permissionAnswer(asked.asked, leave.verdict === 'allow'))
  return []
}

/** Hands on what a person answered; false when the agent waits for nothing, or was asked something else meanwhile. */
export async function answerOpen(session: AgentSession, thread: readonly Entry[], driver: Driver): Promise<boolean> {
  if (session.open.size === 0 || !session.isPrompting()) return false
  for (const [key, asked] of session.open) {
    const ids = key.split(' ')
    const answers = ids.map((id) => thread.findLast((entry) => entry.from === 'tool' && entry.call_id.startsWith(id)))
    if (answers.includes(undefined)) return false
    const given = await Promise.all(answers.map(async (entry) => (entry === undefined ? null : answerIn(entry, driver))))
    session.open.delete(key)
    if (asked.type === 'permission') asked.answer(permissionAnswer(asked.asked, given[0]?.value === ALLOW_ONCE))
    else asked.answer(elicitationAnswer(contentOf(asked, given)))
  }
  for (const { id } of thread) session.told.add(id)
  return true
}

type Given = { value: string; text: string } | null

function contentOf(asked: Extract<AgentAsked, { type: 'form' }>, given: readonly Given[]): Record<string, unknown> | null {
  const fields = formFields(asked.asked)
  const pairs = fields.flatMap(({ name, valueOf }, at) => {
    const answer = given[at]
    return answer ? [[name, valueOf(answer)] as const] : []
  })
  return pairs.length === 0 ? null : Object.fromEntries(pairs)
}

async function answerIn(entry: Entry, driver: Driver): Promise<Given> {
  const id = entry.from === 'tool' && entry.outcome === 'ok' ? entry.details['question_id'] : undefined
  return typeof id === 'string' ? ((await questions.find(driver, id))?.item.answer ?? null) : null
}
