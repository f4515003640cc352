import { boundsOf } from '../src/domain/bounds.ts'
import { composePrompt } from '../src/roles/prompt.ts'
import { loadRoles } from '../src/roles/load.ts'
import { countTokens } from './prompt/token-count.ts'
import type { Roles } from '../src/roles/roles.ts'
import { allTools } from '../src/tools/all.ts'
import { toolsFor } from '../src/tools/authorize.ts'
import { toolSpec } from '../src/tools/tool-spec.ts'
import type { Bench } from './report/bench.ts'
import { commandSettingsWith } from '../src/sandbox/test-command-settings.ts'

/**
 * What a role costs before anyone has said a word: its prompt and the tools the model is told of.
 * For every role with all the tools it may ever have, but for the one a delegating role gets when it runs.
 */
export function promptSizes(roles: Roles) {
  return roles.list().map((role) => {
    const subject = {
      role: role.id,
      permissions: role.permissions,
      bounds: boundsOf(role),
      approvals: { tools: {}, never_ask: false },
      plan: null,
      commands: commandSettingsWith(),
    }
    const tools = toolsFor({ ...subject, sandbox: { kind: 'bubblewrap' } }, allTools)
    const delegate = role.can_delegate_to_roles.length > 0 ? ['delegate'] : []
    const names = [...tools.map((tool) => tool.name), ...delegate]
    const prompt = composePrompt({ role, tools: names.map((name) => ({ name })), workspace: '/home/someone/projects/a-project' })
    const tokens = countTokens(prompt) + countTokens(JSON.stringify(tools.map(toolSpec)))
    return { role: role.id, prompt, tools: names, tokens }
  })
}

/** The role that works longest is asked most often, so it pays most for every word. */
export function budgetOf(role: string): number {
  return role === 'actor' ? 1400 : 1700
}

export const bench: Bench = {
  name: 'size of prompt and tools of each role',
  run: async () =>
    promptSizes(await loadRoles({})).map(({ role, tokens }) => ({
      what: `prompt and tools: ${role}`,
      unit: 'tokens',
      ours: tokens,
      budget: { at_most: budgetOf(role) },
    })),
}
