import { boundsOf } from '../src/domain/bounds.ts'
import { composePrompt } from '../src/roles/prompt.ts'
import { loadRoles } from '../src/roles/load.ts'
import { countTokens } from './prompt/token-count.ts'
import type { Roles } from '../src/roles/roles.ts'
import { allTools } from '../src/tools/all.ts'
import { toolsFor } from '../src/tools/authorize.ts'
import { toldTools } from '../src/tools/outside/deferred.ts'
import { manyTools } from '../src/tools/outside/test-many-tools.ts'
import type { Tool } from '../src/tools/tool.ts'
import type { Bench, Row } from './report/bench.ts'
import { commandSettingsWith } from '../src/sandbox/test-command-settings.ts'

/**
 * What a role costs before anyone has said a word: its prompt and the tools the model is told of.
 * For every role with all the tools it may ever have, but for the one a delegating role gets when it runs.
 */
export function promptSizes(roles: Roles, outside: readonly Tool[] = []) {
  return roles.list().map((role) => {
    const subject = {
      role: role.id,
      permissions: role.permissions,
      bounds: boundsOf(role),
      approvals: { tools: {}, never_ask: false },
      plan: null,
      commands: commandSettingsWith(),
    }
    const all = [...allTools, ...outside]
    const { first: tools, specs } = toldTools(all, toolsFor({ ...subject, sandbox: { kind: 'bubblewrap' } }, all), new Set())
    const delegate = role.can_delegate_to_roles.length > 0 ? ['delegate'] : []
    const names = [...tools.map((tool) => tool.name), ...delegate]
    const prompt = composePrompt({ role, tools: names.map((name) => ({ name })), workspace: '/home/someone/projects/a-project' })
    const tokens = countTokens(prompt) + countTokens(JSON.stringify(specs()))
    return { role: role.id, prompt, tools: names, tokens }
  })
}

/** The role that works longest is asked most often, so it pays most for every word. */
export function budgetOf(role: string): number {
  return role === 'actor' ? 1400 : 1700
}

/** With ten servers of twenty tools each, before the first use of any. */
export const CROWDED_TOKENS = 2500

export const bench: Bench = {
  name: 'size of prompt and tools of each role',
  run: async () => {
    const roles = await loadRoles({})
    const rows = promptSizes(roles).map(({ role, tokens }) => row(`prompt and tools: ${role}`, tokens, budgetOf(role)))
    const crowded = promptSizes(roles, manyTools()).map(({ tokens }) => tokens)
    return [...rows, row('with 10 MCP servers and 200 tools, the largest role', Math.max(...crowded), CROWDED_TOKENS)]
  },
}

function row(what: string, tokens: number, most: number): Row {
  return { what, unit: 'tokens', ours: tokens, budget: { at_most: most } }
}
