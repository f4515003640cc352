import type { ToolCall, ToolOutcome } from '../domain/entry.ts'
import { Problem, problemView } from '../domain/problem.ts'
import { inputHash } from './approvals.ts'
import type { Decision } from './authorize.ts'
import type { CallResult, GateContext } from './tool.ts'

/** How often the same call may be denied before the turn is over, and how many calls in a row, whatever they are. */
const SAME_AT_MOST = 3
const IN_ROW_AT_MOST = 10

/** The denials of a run: how often each call was denied, and how many since a call last went well. */
export interface Denials {
  readonly byCall: Map<string, number>
  inRow: number
}

/** No denial yet. */
export function noDenials(): Denials {
  return { byCall: new Map(), inRow: 0 }
}

/** Counts how a call ended. True where the model is not listening, so that its turn is over. */
export function countOutcome(denials: Denials, call: ToolCall, outcome: ToolOutcome): boolean {
  if (outcome === 'ok' || outcome === 'waiting') denials.inRow = 0
  if (outcome !== 'denied') return false
  const key = `${call.tool} ${inputHash(call.input)}`
  const same = (denials.byCall.get(key) ?? 0) + 1
  denials.byCall.set(key, same)
  denials.inRow += 1
  return same >= SAME_AT_MOST || denials.inRow >= IN_ROW_AT_MOST
}

/** The answer to a call that does not run: what decided, what is missing, who could change it, and that trying again will not. */
export function refusedCall(context: Pick<GateContext, 'role'>, call: ToolCall, decision: Decision): CallResult {
  const mistake = decision.rule === 'unknown_tool' || decision.rule === 'bad_input'
  const { rule, missing_permissions } = decision
  const problem = new Problem(mistake ? 'bad_input' : 'denied', decision.message, {
    details: { tool: call.tool, role: context.role, rule, missing_permissions },
  })
  const output = mistake ? `${problem.code}: ${problem.message}` : `denied (not retryable): ${problem.message}`
  return { outcome: mistake ? 'error' : 'denied', output, details: problemView(problem), decision, ends_turn: false }
}
