import type { ToolCall } from '../domain/entry.ts'
import type { QuestionContent } from '../domain/question.ts'
import { showTextDirection } from '../domain/text/hidden-character.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import type { Decision } from './authorize.ts'
import { bounded } from './bounded.ts'
import type { Previewed } from './tool.ts'

/** The answer that lets a call run, and the one that does not; any other refuses it too. */
export const APPROVE = 'approve'
export const REFUSE = 'refuse'

const SHOWN_CHARS = 20_000
const TITLE_CHARS = 200

/** The question that is put to a person before a call. It has no default: silence is not an answer. */
export function approvalQuestion(call: ToolCall, decision: Decision, previewed: Previewed): QuestionContent {
  const shown = typeof previewed.diff === 'string' ? previewed.diff : JSON.stringify(call.input, null, 2)
  return {
    type: 'question',
    question: showTextDirection(`${actOf(call)}?`),
    context: bounded(showTextDirection(`${decision.message}\n\n${shown}`), SHOWN_CHARS),
    severity: 'major',
    options: [
      { label: 'Yes, do it', value: APPROVE, description: 'This call runs once, with exactly these arguments.' },
      { label: 'No', value: REFUSE, description: 'The call does not run and the agent is told so.' },
    ],
    default: null,
  }
}

/** What a person would call it; any other tool is called by its name. */
const acts: Readonly<Record<string, string>> = {
  create_file: 'Create',
  update_file: 'Change',
  delete_file: 'Delete',
  execute_command: 'Run',
  delegate: 'Start',
}

function actOf({ tool, input }: ToolCall): string {
  const { path, command, role } = isRecord(input) ? input : {}
  const about = [path, command, role].find((each) => typeof each === 'string') ?? ''
  const act = Object.hasOwn(acts, tool) ? acts[tool] : `Call ${tool}`
  return `${act} ${bounded(about, TITLE_CHARS)}`.trimEnd()
}
