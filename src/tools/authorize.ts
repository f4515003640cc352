import { posix } from 'node:path'
import { type Bounds, canBeMounted } from '../domain/bounds.ts'
import { isAllowed, type AllowedCommand } from '../domain/command/allowed.ts'
import { changePermissions, missingPermissions, type Permission } from '../domain/permission.ts'
import { narrowedPolicy, networkPolicy } from '../domain/network/policy.ts'
import { modeOf } from '../domain/role.ts'
import type { Plan } from '../domain/plan.ts'
import { workKinds } from '../domain/workflow/work-kinds.ts'
import type { CommandSettings, SandboxState } from '../sandbox/sandbox.ts'
import type { ApprovalSettings } from './approvals.ts'
import type { Tool } from './tool.ts'

/** Who acts: a role, what it may really do after every cap, and what the user settled. The role's name alone decides nothing. */
export interface ActingRole {
  role: string
  permissions: readonly Permission[]
  bounds: Bounds
  approvals: ApprovalSettings
  plan: Pick<Plan, 'id' | 'status' | 'content'> | null
  /** Commands a person allowed from now on. */
  allowed?: readonly AllowedCommand[]
  sandbox: SandboxState
  commands: CommandSettings
}

/** Every rule that can decide about a call, strongest first. */
export type AuthorizationRule =
  | 'unknown_tool'
  | 'nothing_declared'
  | 'role_permissions'
  | 'tool_roles'
  | 'no_sandbox'
  | 'role_paths'
  | 'no_network'
  | 'bad_input'
  | 'path_refused'
  | 'setting_deny'
  | 'nobody_to_ask'
  | 'user_refused'
  | 'setting_ask'
  | 'command_allowed'
  | 'setting_allow'
  | 'plan_step'
  | 'asks_by_default'
  | 'default'

/** What was decided about a call, by which rule, and how a person could change that. */
export interface Decision {
  verdict: 'allow' | 'ask' | 'deny'
  rule: AuthorizationRule
  message: string
  missing_permissions: readonly Permission[]
}

/** The one decision about a tool. Without arguments it says whether the tool can be offered; with them, whether this call may run. */
export function authorize(subject: ActingRole, tool: Tool, input?: unknown): Decision {
  const refused = beyondRole(subject, tool)
  if (refused !== null) return refused
  const decision = settled(subject, tool, input)
  if (decision.verdict !== 'ask' || !subject.approvals.never_ask) return decision
  return decided(
    'deny',
    'nobody_to_ask',
    `${tool.name} needs a person's approval, and this run asks nobody; the user can allow it in advance`,
  )
}

/** The tools a model is told of: exactly those whose every call is not already refused. */
export function toolsFor(subject: ActingRole, tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => authorize(subject, tool).verdict !== 'deny')
}

/** The boundary of the role: no setting, approval or plan is looked at here. */
function beyondRole(subject: ActingRole, tool: Tool): Decision | null {
  const { role, permissions } = subject
  if (tool.required_permissions.length === 0) {
    return decided('deny', 'nothing_declared', `${tool.name} declares no permission it needs, so no role may call it`)
  }
  const missing = missingPermissions(permissions, tool.required_permissions)
  if (missing.length > 0) {
    const message = `${role} may not call ${tool.name}: it needs ${missing.join(', ')}; only the user can change this, by switching to a role that has it`
    return { ...decided('deny', 'role_permissions', message), missing_permissions: missing }
  }
  if (tool.roles !== undefined && !tool.roles.includes(role)) {
    const message = `${role} may not call ${tool.name}: it is for ${tool.roles.join(', ')} only; only the user can change this, by switching the role`
    return decided('deny', 'tool_roles', message)
  }
  if (tool.mode === 'plan' && modeOf({ permissions: [...permissions] }) === 'act') {
    return decided('deny', 'tool_roles', `${role} may not call ${tool.name}: it is for roles that only read`)
  }
  return withoutNetwork(subject, tool) ?? withoutMounts(subject, tool) ?? withoutSandbox(subject, tool)
}

/** Whom it may reach is asked at each call; here only whether there is anybody at all. */
function withoutNetwork({ role, bounds, commands }: ActingRole, tool: Tool): Decision | null {
  if (tool.network !== true || narrowedPolicy(commands.network, networkPolicy(bounds.network)) !== 'off') return null
  const why = bounds.network === 'off' ? 'its role has no network' : "the user's settings allow no network (sandbox.network)"
  return decided('deny', 'no_network', `${role} may not call ${tool.name}: ${why}; only the user can change this`)
}

/** What a role must not see can be kept from its commands only where it is whole folders. */
function withoutMounts({ role, bounds, sandbox }: ActingRole, tool: Tool): Decision | null {
  if (!tool.required_permissions.includes('execute_commands')) return null
  const isBound = bounds.read_paths.length + bounds.write_paths.length > 0
  if (isBound && sandbox.kind === 'none')
    return decided(
      'deny',
      'role_paths',
      `${role} may not call ${tool.name}: without a sandbox no command can be held to the paths of its role`,
    )
  if (canBeMounted(bounds.read_paths)) return null
  const message = `${role} may not call ${tool.name}: its read_paths are not all whole folders or files, and a command cannot be kept from seeing the rest`
  return decided('deny', 'role_paths', message)
}

/** A command can only be held to its role by a sandbox; where there is none, nobody but the user can let it run bare. */
function withoutSandbox({ role, permissions, sandbox, commands }: ActingRole, tool: Tool): Decision | null {
  if (sandbox.kind !== 'none' || !tool.required_permissions.includes('execute_commands')) return null
  const missing = missingPermissions(permissions, changePermissions)
  if (missing.length === 0 && commands.unsandboxed) return null
  const why = missing.length === 0 ? 'the user has not allowed commands to run bare' : `it lacks ${missing.join(', ')}`
  const message = `${role} may not call ${tool.name}: there is no sandbox here (${sandbox.reason}) and ${why}; to get one: ${sandbox.fix}`
  return { ...decided('deny', 'no_sandbox', message), missing_permissions: missing }
}

function settled(subject: ActingRole, tool: Tool, input: unknown): Decision {
  const setting = subject.approvals.tools[tool.name]
  if (setting === 'deny') return decided('deny', 'setting_deny', `the user's settings deny ${tool.name}; only the user can change them`)
  if (setting === 'ask' && isAllowedFromNowOn(subject, tool, input))
    return decided('allow', 'command_allowed', 'the user allowed this command from now on')
  if (setting === 'ask') return decided('ask', 'setting_ask', `the user's settings say to ask before ${tool.name}`)
  if (setting === 'allow') return decided('allow', 'setting_allow', `the user's settings allow ${tool.name}`)
  const why = tool.asks(input)
  if (why === null)
    return decided('allow', 'default', `${subject.role} has what ${tool.name} needs: ${tool.required_permissions.join(', ')}`)
  const step = input === undefined ? null : stepNaming(subject.plan, tool, input)
  if (step !== null) return decided('allow', 'plan_step', `step ${step} of the approved plan names this ${tool.name}`)
  return decided('ask', 'asks_by_default', why)
}

/** Without arguments: whether there is a command that the tool could run unasked. */
function isAllowedFromNowOn({ allowed = [] }: ActingRole, tool: Tool, input: unknown): boolean {
  if (input === undefined) return allowed.length > 0
  const line = tool.commandOf(input)
  return line !== null && isAllowed(line.command, line.inRoot, allowed)
}

/** The step of an approved plan that foresees this call: it lists the tool and its action names every path. */
function stepNaming(plan: ActingRole['plan'], tool: Tool, input: unknown): number | null {
  if (plan?.status !== 'approved') return null
  const paths = tool.paths(input).map((path) => posix.normalize(path))
  if (paths.length === 0) return null
  const step = plan.content.steps.find((candidate) => {
    return foresees(candidate.tools_needed, tool) && paths.every((path) => names(candidate.action, path))
  })
  return step?.step_number ?? null
}

/** A Planner is told of no tool that changes anything, so its steps name the kind of work. */
function foresees(needed: readonly string[], tool: Tool): boolean {
  return needed.some((name) => name === tool.name || isWorkFor(tool, workKinds[name]))
}

/** Reading alone is no leave: a kind of work stands for a tool by the change or command it needs. */
function isWorkFor(tool: Tool, kind: Permission | undefined): boolean {
  return kind !== undefined && kind !== 'read_files' && tool.required_permissions.includes(kind)
}

/** Whether a sentence names a path as a whole: `src/a.ts` is not named by `src/a.ts.bak` or `old/src/a.ts`. */
function names(sentence: string, path: string): boolean {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}_./\\\-])(?:\./)?${literal}(?![\p{L}\p{N}_/\\\-]|\.[\p{L}\p{N}_])`, 'u').test(sentence)
}

export function decided(verdict: Decision['verdict'], rule: AuthorizationRule, message: string): Decision {
  return { verdict, rule, message, missing_permissions: [] }
}
