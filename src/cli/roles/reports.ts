import type { rolePermissions } from '../../domain/permission.ts'
import type { Role } from '../../domain/role.ts'
import { ceiling } from '../../roles/delegation.ts'
import { visible } from '../../roles/fault.ts'
import { composePrompt } from '../../roles/prompt.ts'
import { explainRole, roleView, type RoleContext } from '../../tools/role-view.ts'
import { columns } from '../terminal.ts'

/** Every role of this start. */
export function rolesList(desk: RoleContext) {
  return { roles: desk.roles.list().map((role) => roleView(desk, role)), warnings: desk.roles.warnings }
}

export function rolesListText({ roles }: ReturnType<typeof rolesList>): string {
  const rows = roles.map((role) => [role.id, role.mode, heldWords(role.permissions), role.source, role.description])
  return columns([['ROLE', 'MODE', 'MAY', 'FROM', ''], ...rows])
}

/** One role in full, with the prompt it is given. */
export function rolesShow(desk: RoleContext, id: string) {
  const role = desk.roles.need(id)
  const listed = roleView(desk, role)
  return {
    ...listed,
    ceiling: ceiling(role, desk.roles),
    examples: role.examples,
    instructions: role.instructions,
    prompt: composePrompt({ role, tools: listed.tools.map((name) => ({ name })), workspace: desk.root }),
  }
}

export function rolesShowText(shown: ReturnType<typeof rolesShow>): string {
  const facts = [
    ['name', shown.name],
    ['description', shown.description],
    ['mode', shown.mode],
    ['may', heldWords(shown.permissions)],
    ['delegates to', shown.can_delegate_to_roles.join(', ') || 'no one'],
    ['model', shown.llm_model],
    ['looks', `${shown.color}, ${shown.icon}`],
    ['from', `${shown.file} (${shown.source})`],
    ['tools', shown.tools.join(', ') || 'none'],
  ]
  return `${columns(facts)}\n\n${shown.prompt}`
}

export function rolesExplainText({ role, tool, verdict, rule, reason }: Awaited<ReturnType<typeof explainFor>>): string {
  const says = { allow: 'may call', ask: 'may call, once a person agrees,', deny: 'may not call' }
  return `${role} ${says[verdict]} ${visible(tool)}\n${columns([
    ['rule', rule],
    ['why', reason],
  ])}`
}

/** Which rule decides whether a role may call a tool, or make this very call, and why. The role need not be one of those that are loaded. */
export async function explainFor(desk: RoleContext, role: Role, tool: string, input?: unknown) {
  const { verdict, rule, message, missing_permissions } = await explainRole(desk, role, tool, input)
  return { role: role.id, tool, input, allowed: verdict !== 'deny', verdict, rule, reason: message, missing_permissions }
}

function heldWords(held: ReturnType<typeof rolePermissions>): string {
  const words = Object.entries(held).flatMap(([name, may]) => (may ? [name.replace(/^can_/, '').replace(/_.*$/, '')] : []))
  return words.join(' ') || 'nothing'
}
