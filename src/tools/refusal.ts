import type { ToolCall } from '../domain/entry.ts'
import { Problem, problemView } from '../domain/problem.ts'
import { inputHash } from './approvals.ts'
import type { Decision } from './authorize.ts'
import type { CallResult, GateContext } from './tool.ts'

/** How often the same call may be denied before the turn is over. */
const DENIALS_AT_MOST = 3

/** The answer to a call that does not run: what decided, what is missing, who could change it, and that trying again will not. */
export function refusal(context: Pick<GateContext, 'role' | 'denials'>, call: ToolCall, decision: Decision): CallResult {
  const mistake = decision.rule === 'unknown_tool' || decision.rule === 'bad_input'
  const { rule, missing_permissions } = decision
  const problem = new Problem(mistake ? 'bad_input' : 'denied', decision.message, {
    details: { tool: call.tool, role: context.role, rule, missing_permissions },
  })
  const output = mistake ? `${problem.code}: ${problem.message}` : `denied (not retryable): ${problem.message}`
  const ends_turn = !mistake && countDenial(context.denials, call) >= DENIALS_AT_MOST
  return { outcome: mistake ? 'error' : 'denied', output, details: problemView(problem), decision, ends_turn }
}

/** What makes two denied calls the same call. */
export function denialKey(call: ToolCall): string {
  return `${call.tool} ${inputHash(call.input)}`
}

function countDenial(denials: Map<string, number>, call: ToolCall): number {
  const key = denialKey(call)
  const count = (denials.get(key) ?? 0) + 1
  denials.set(key, count)
  return count
}
