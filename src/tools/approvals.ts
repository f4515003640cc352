import { createHash } from 'node:crypto'
import * as z from 'zod'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import type { ToolCall } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { Approval } from '../domain/question.ts'
import type { Previewed } from './tool.ts'

export type ApprovalSetting = z.infer<typeof ApprovalSetting>
export const ApprovalSetting = z.enum(['allow', 'ask', 'deny'])

/** What the user settled about tools beforehand, in the configuration, for a chat or on the command line. */
export type ApprovalSettings = z.infer<typeof ApprovalSettings>
export const ApprovalSettings = z.object({
  tools: z.record(z.string(), ApprovalSetting).default({}),
  /** Nobody is there to be asked: what would be asked is refused. */
  never_ask: z.boolean().default(false),
})

const strictness = { allow: 0, ask: 1, deny: 2 } as const satisfies Record<ApprovalSetting, number>

/** Several settings as one. The strictest wins, so that a deny anywhere stays a deny. */
export function combineApprovals(...sources: readonly ApprovalSettings[]): ApprovalSettings {
  const tools: Record<string, ApprovalSetting> = {}
  for (const [name, setting] of sources.flatMap((source) => Object.entries(source.tools))) {
    const before = tools[name]
    if (before === undefined || strictness[setting] > strictness[before]) tools[name] = setting
  }
  return { tools, never_ask: sources.some((source) => source.never_ask) }
}

/** Approvals as one text: `ask`, `never`, or a list such as `delete_file=allow,execute_command=deny`. */
export function parseApprove(flag: string): ApprovalSettings {
  const settings: ApprovalSettings = { tools: {}, never_ask: false }
  for (const part of flag.split(',').map((text) => text.trim())) {
    if (part === 'ask') continue
    if (part === 'never') {
      settings.never_ask = true
      continue
    }
    const [name, setting] = part.split('=')
    const parsed = ApprovalSetting.safeParse(setting)
    if (!name || !parsed.success) {
      throw new Problem(
        'bad_input',
        `approvals cannot be read: "${part}"; they take ask, never, or TOOL=allow|ask|deny separated by commas`,
      )
    }
    settings.tools[name] = parsed.data
  }
  return settings
}

/** What an approval of this call must be bound to. A changed role, plan or argument makes it another call, a changed file another question. */
export function wantedApproval(by: { role: string; plan: { id: string } | null }, call: ToolCall, previewed: Previewed): Approval {
  return {
    call_id: call.id,
    tool: call.tool,
    input_hash: inputHash(call.input),
    role: by.role,
    plan_id: by.plan?.id ?? null,
    preview_hash: previewHash(previewed),
    used_at: null,
  }
}

/** Whether an approval speaks of exactly the wanted call. */
export function isBoundTo(approval: Approval, wanted: Approval): boolean {
  return (
    approval.call_id === wanted.call_id &&
    approval.tool === wanted.tool &&
    approval.input_hash === wanted.input_hash &&
    approval.role === wanted.role &&
    approval.plan_id === wanted.plan_id
  )
}

/** Whether what the person was shown is still what would be done. */
export function isShown(approval: Approval, wanted: Approval): boolean {
  return approval.preview_hash === wanted.preview_hash
}

/** Without the difference itself: how it is drawn may depend on how much time there was. */
function previewHash(previewed: Previewed): string {
  return inputHash(Object.fromEntries(Object.entries(previewed).filter(([name]) => name !== 'diff')))
}

/** The fingerprint of a call's arguments, whatever the order of its fields. */
export function inputHash(input: unknown): string {
  return createHash('sha256').update(canonicalJson(input)).digest('hex')
}
