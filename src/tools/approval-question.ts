import type { ToolCall } from '../domain/entry.ts'
import type { QuestionContent } from '../domain/question.ts'
import { showTextDirection } from '../domain/text/turning-marks.ts'
import type { Decision } from './authorize.ts'
import { bounded } from './bounded.ts'
import type { GateContext, Previewed } from './tool.ts'

/** The answer that lets a call run, and the one that does not; any other refuses it too. */
export const APPROVE = 'approve'
export const REFUSE = 'refuse'

const SHOWN_CHARS = 20_000
const TITLE_CHARS = 200

/** The question that is put to a person before a call. It has no default: silence is not an answer. */
export function approvalQuestion(
  by: Pick<GateContext, 'role_name'>,
  call: ToolCall,
  decision: Decision,
  previewed: Previewed,
): QuestionContent {
  const shown = typeof previewed.diff === 'string' ? previewed.diff : JSON.stringify(call.input, null, 2)
  return {
    type: 'question',
    question: showTextDirection(`May ${by.role_name} ${actOf(call)}?`),
    context: bounded(showTextDirection(`${decision.message}\n\n${shown}`), SHOWN_CHARS),
    severity: 'major',
    options: [
      { label: 'Yes, do it', value: APPROVE, description: 'This call runs once, with exactly these arguments.' },
      { label: 'No', value: REFUSE, description: 'The call does not run and the agent is told so.' },
    ],
    default: null,
  }
}

function actOf({ tool, input }: ToolCall): string {
  const starts = tool === 'delegate' && typeof input === 'object' && input !== null && 'role' in input && typeof input.role === 'string'
  return starts ? `start ${bounded(String(input.role), TITLE_CHARS)}` : `call ${tool}${subjectOf(input)}`
}

function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  if ('path' in input && typeof input.path === 'string') return ` on ${bounded(input.path, TITLE_CHARS)}`
  return 'command' in input && typeof input.command === 'string' ? `: ${bounded(input.command, TITLE_CHARS)}` : ''
}
