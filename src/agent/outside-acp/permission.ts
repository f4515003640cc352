import type { RequestPermissionRequest, RequestPermissionResponse, ToolKind } from '@agentclientprotocol/sdk'
import { changePermissions, missingPermissions, type Permission } from '../../domain/permission.ts'
import type { QuestionContent } from '../../domain/question.ts'
import { shorten } from '../../domain/text/format.ts'
import type { Run } from '../../domain/run.ts'
import type { ApprovalSettings } from '../../tools/approvals.ts'

/** What becomes of a request for leave: a yes or a no at once, or a question for a person. */
export type Leave = { verdict: 'allow' } | { verdict: 'refuse'; reason: string } | { verdict: 'ask'; question: QuestionContent }

// What a kind of call needs, and which of our tools a person's settings name it by. `other` may be anything.
// oxfmt-ignore
const kinds: Readonly<Record<ToolKind, { needs: readonly Permission[]; tool: string | null }>> = {
  read:        { needs: ['read_files'],                        tool: 'read_file' },
  search:      { needs: ['read_files'],                        tool: 'search_code' },
  think:       { needs: [],                                    tool: null },
  edit:        { needs: ['write_files', 'create_files'],       tool: 'update_file' },
  delete:      { needs: ['delete_files'],                      tool: 'delete_file' },
  move:        { needs: [...changePermissions],                tool: 'delete_file' },
  execute:     { needs: ['execute_commands'],                  tool: 'execute_command' },
  fetch:       { needs: [],                                    tool: 'web_fetch' },
  switch_mode: { needs: [],                                    tool: null },
  other:       { needs: [],                                    tool: null },
}

/** Decides by the role first and by the person's settings then, as the gate does. It is a courtesy: what holds is the sandbox. */
export function leaveFor({ toolCall }: RequestPermissionRequest, run: Run, approvals: ApprovalSettings | undefined): Leave {
  const kind = toolCall.kind ?? 'other'
  const { needs, tool } = kinds[kind]
  if (kind === 'switch_mode') return { verdict: 'refuse', reason: 'only a person switches the mode' }
  const missing = missingPermissions(run.permissions, needs)
  if (missing.length > 0) return { verdict: 'refuse', reason: `${run.agent_role} lacks ${missing.join(', ')}` }
  const setting = settingFor(kind, tool, approvals)
  if (setting === 'deny') return { verdict: 'refuse', reason: `your settings deny ${tool}` }
  if (setting === 'allow') return { verdict: 'allow' }
  if (approvals?.never_ask === true) return { verdict: 'refuse', reason: 'nobody is there to be asked' }
  return { verdict: 'ask', question: leaveQuestion(toolCall) }
}

function settingFor(kind: ToolKind, tool: string | null, approvals: ApprovalSettings | undefined) {
  const usual = kind === 'delete' || kind === 'other' ? 'ask' : 'allow'
  return (tool === null ? undefined : approvals?.tools[tool]) ?? usual
}

export const ALLOW_ONCE = 'allow'
const REFUSE = 'refuse'

function leaveQuestion({ title, rawInput, locations }: RequestPermissionRequest['toolCall']): QuestionContent {
  const places = (locations ?? []).map(({ path }) => path).join('\n')
  const input = rawInput === undefined ? '' : shorten(JSON.stringify(rawInput), 1_500)
  return {
    type: 'question',
    question: `Allow this once: ${shorten(title ?? 'a call without a name', 300)}?`,
    context: [places, input].filter(Boolean).join('\n'),
    severity: 'major',
    options: [
      { label: 'Allow once', value: ALLOW_ONCE, description: '' },
      { label: 'Refuse', value: REFUSE, description: '' },
    ],
    default: null,
  }
}

/** The answer to a request for leave. Never "always": that would settle what only a person may, and where we do not see it. */
export function permissionAnswer({ options }: RequestPermissionRequest, allowed: boolean): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === (allowed ? 'allow_once' : 'reject_once'))
  return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId } }
}
