import * as z from 'zod'
import { missingPermissions, Permission } from '../../domain/permission.ts'
import type { Role } from '../../domain/role.ts'
import { HIDDEN_CHARACTER } from '../../domain/text/hidden-character.ts'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'
import type { ReviewedTool } from '../../outside/review-file.ts'
import { isLocal, type OutsideServer } from '../../outside/server.ts'
import { ToolClass } from '../../outside/settings.ts'
import { classNeeds, classOf } from '../../outside/tool-class.ts'
import { namedTools, toolName } from '../../outside/tool-name.ts'
import { settingOf, networkPolicy } from '../../domain/network/policy.ts'

/** A tool of a server as people see it. */
export const ServerToolView = z.object({
  name: z.string().describe('what its server calls it'),
  called: z.string().nullable().describe('what a model calls it'),
  description: z.string(),
  class: ToolClass.nullable().describe('what it is held to; null when it is off'),
  set: z
    .union([ToolClass, z.literal('off')])
    .nullable()
    .describe('what you said of this very tool'),
  asks: z.string().nullable().describe('why a person is asked before each call'),
  needs: z.array(Permission),
  roles: z.array(z.string()).describe('the roles that may call it'),
  why_refused: z.string().nullable(),
})

/** A server as people see it. */
export type ServerView = z.infer<typeof ServerView>
export const ServerView = z.object({
  name: z.string(),
  from: z.enum(['user', 'project', 'editor']),
  state: z.enum(['ready', 'unreviewed', 'changed', 'untrusted', 'off']),
  where: z.string().describe('what is started, or the address'),
  local: z.boolean(),
  network: z.union([z.string(), z.array(z.string())]),
  sees: z.array(z.string()).describe('the variables it is given'),
  entry: z.string().nullable().describe('the digest of an entry of a project, which is what you trust'),
  unreviewed: z.array(z.string()),
  tools: z.array(ServerToolView),
})

const SHOWN_CHARS = 600
const hidden = new RegExp(HIDDEN_CHARACTER.source, 'gu')

/** What more there is to say of the entry of a project. */
interface EntryFacts {
  digest: string
  where: string
  wants: readonly string[]
  isTrusted: boolean
}

export function serverView(server: OutsideServer, roles: readonly Role[], entry: EntryFacts | null = null): ServerView {
  const { name, settings, from, reviewed } = server
  const { taken, refused } = namedTools(name, reviewed?.tools ?? [])
  return {
    name,
    from,
    state: stateOf(server, entry?.isTrusted ?? true),
    where: shownText(entry?.where ?? whereOf(server)),
    local: isLocal(server),
    network: isLocal(server) ? settingOf(networkPolicy(settings.network)) : 'on',
    sees: [...settings.env, ...Object.keys(settings.variables), ...Object.values(settings.headers), ...(entry?.wants ?? [])],
    entry: entry?.digest ?? null,
    unreviewed: reviewed?.unreviewed ?? [],
    tools: [
      ...taken.map(({ tool }) => toolView(server, tool, roles, null)),
      ...refused.map(({ tool, why }) => toolView(server, tool, roles, why)),
    ],
  }
}

function stateOf({ settings, reviewed }: OutsideServer, isTrusted: boolean): ServerView['state'] {
  if (!settings.enabled) return 'off'
  if (!isTrusted) return 'untrusted'
  if (reviewed === null) return 'unreviewed'
  return reviewed.unreviewed.length > 0 ? 'changed' : 'ready'
}

function toolView(server: OutsideServer, tool: ReviewedTool, roles: readonly Role[], why: string | null): z.infer<typeof ServerToolView> {
  const judged = why === null ? classOf(server, tool) : null
  const needs = judged === null ? [] : [...classNeeds[judged.class]]
  const mayUse = ({ id, permissions }: Role) =>
    judged !== null && (server.settings.roles?.includes(id) ?? true) && missingPermissions(permissions, needs).length === 0
  return {
    name: shownText(tool.name),
    called: why === null ? toolName(server.name, tool.name) : null,
    description: shownText(tool.description),
    class: judged?.class ?? null,
    set: (Object.hasOwn(server.settings.tools, tool.name) && server.settings.tools[tool.name]) || null,
    asks: judged?.asks ?? null,
    needs,
    roles: roles.filter(mayUse).map(({ id }) => id),
    why_refused: why,
  }
}

/** Text of a stranger, on a screen. */
export function shownText(text: string): string {
  return withoutTerminalCodes(text).replaceAll(hidden, '').slice(0, SHOWN_CHARS)
}

function whereOf({ settings }: OutsideServer): string {
  return settings.url ?? [settings.command, ...settings.args].join(' ')
}
