import { patternFor } from '../domain/command/pattern.ts'
import { readCommands } from '../domain/command/words.ts'
import type { AllowedScope } from '../domain/command/allowed.ts'
import type { ToolCall } from '../domain/entry.ts'
import type { QuestionContent } from '../domain/question.ts'
import { showTextDirection } from '../domain/text/hidden-character.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import type { Decision } from './authorize.ts'
import { bounded } from './bounded.ts'
import type { JudgedCall } from './judge.ts'
import type { Previewed } from './tool.ts'

/** The answer that lets a call run, and the one that does not; any other refuses it too. */
export const APPROVE = 'approve'
export const REFUSE = 'refuse'

/** The answers that let a call run and its command from now on, by how far that reaches. */
export const allowAnswers = { chat: 'allow_chat', project: 'allow_project', always: 'allow_always' } as const satisfies Record<
  AllowedScope,
  string
>

/** Whether an answer lets the call run. */
export function isYes(value: string | undefined): boolean {
  return value === APPROVE || Object.values<string | undefined>(allowAnswers).includes(value)
}

/** What may be allowed from now on instead of being asked about: each part of a command, where every part can be judged. */
export function offeredPatterns({ tool, input }: JudgedCall, { rule }: Decision): string[] {
  const line = rule === 'setting_ask' ? tool.commandOf(input) : null
  const parts = line === null ? null : readCommands(line.command)
  const patterns = [...new Set(parts?.map(patternFor))]
  return patterns.every((pattern) => pattern !== null) ? patterns : []
}

const SHOWN_CHARS = 20_000
const TITLE_CHARS = 200

/** The question that is put to a person before a call. It has no default: silence is not an answer. */
export function approvalQuestion(call: ToolCall, decision: Decision, previewed: Previewed, patterns: readonly string[]): QuestionContent {
  const shown = typeof previewed.diff === 'string' ? previewed.diff : JSON.stringify(call.input, null, 2)
  return {
    type: 'question',
    question: showTextDirection(`${actOf(call)}?`),
    context: bounded(showTextDirection(`${decision.message}\n\n${shown}`), SHOWN_CHARS),
    severity: 'major',
    options: [
      { label: 'Yes, do it', value: APPROVE, description: 'This call runs once, with exactly these arguments.' },
      ...(patterns.length === 0 ? [] : allowOptions(patterns)),
      { label: 'No', value: REFUSE, description: 'The call does not run and the agent is told so.' },
    ],
    default: null,
  }
}

function allowOptions(patterns: readonly string[]): QuestionContent['options'] {
  const description = bounded(showTextDirection(`Not asked again for: ${patterns.join(' · ')}`), TITLE_CHARS)
  return [
    { label: 'Yes, from now on in this chat', value: allowAnswers.chat, description },
    { label: 'Yes, from now on in this project', value: allowAnswers.project, description },
    { label: 'Yes, always', value: allowAnswers.always, description },
  ]
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
