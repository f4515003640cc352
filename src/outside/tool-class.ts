import { changePermissions, type Permission } from '../domain/permission.ts'
import type { ReviewedTool } from './review-file.ts'
import { isLocal, type OutsideServer } from './server.ts'
import type { ToolClass } from './settings.ts'

/** What a tool is held to, and why a person is asked before each call; null where nobody is. */
export interface ClassedTool {
  class: ToolClass
  asks: string | null
}

/** The permissions that a class stands for. */
export const classNeeds: Readonly<Record<ToolClass, readonly Permission[]>> = {
  read: ['read_files'],
  change: ['read_files', ...changePermissions],
  anything: ['read_files', ...changePermissions, 'execute_commands'],
}

/** What a tool is held to: by the word of the user; what the server says of itself only tightens that, unless the user vouches for it. Null: it is off. */
export function classOf(
  { settings, name }: Pick<OutsideServer, 'settings' | 'name'>,
  tool: Pick<ReviewedTool, 'name' | 'hints'>,
): ClassedTool | null {
  const { hints } = tool
  const own = Object.hasOwn(settings.tools, tool.name) ? settings.tools[tool.name] : undefined
  if (own === 'off') return null
  const destroys = hints.destructiveHint === true ? `${tool.name} of ${name} says of itself that it may destroy things` : null
  if (own !== undefined) return { class: own, asks: destroys }
  const vouched = settings.trust_hints && isLocal({ settings }) && hints.readOnlyHint === true && destroys === null
  if (vouched) return { class: 'read', asks: null }
  if (settings.may === undefined) return { class: 'anything', asks: `nobody has said what ${tool.name} of ${name} may do` }
  if (settings.may !== 'read' || (destroys === null && hints.readOnlyHint !== false)) return { class: settings.may, asks: destroys }
  return { class: 'change', asks: `${name} may only read, but ${tool.name} says of itself that it does more` }
}
