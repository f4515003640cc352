import { join } from 'node:path'
import type { OutsideAgent } from '../agent/outside.ts'
import { Problem } from '../domain/problem.ts'
import type { ProviderSettings } from '../providers/settings.ts'
import type { RoleFolders } from '../roles/load.ts'
import type { LoadedConfig } from './load.ts'
import type { Environment } from './places.ts'

/** Where the store is: what is configured, else a file in our home. */
export function storeAddress({ config, places }: LoadedConfig): string {
  return config.store ?? `sqlite:${join(places.home, 'troupe.db')}`
}

/** The folders roles are read from, for a workspace. */
export function roleFolders({ places }: LoadedConfig, workspace: string): RoleFolders {
  return {
    builtInDir: join(import.meta.dirname, '../../roles'),
    userDir: places.user_roles,
    projectDir: join(workspace, '.troupe', 'roles'),
  }
}

/** What opening a model depends on. A known provider that is configured elsewhere reads as if its usual variables said so. */
export async function providerSettings({ config }: LoadedConfig, env: Environment): Promise<ProviderSettings> {
  const { hostedKinds } = await import('../providers/settings.ts')
  const seen: Record<string, string | undefined> = { ...env }
  const servers: NonNullable<ProviderSettings['servers']> = {}
  const kinds = new Map(Object.entries(hostedKinds))
  for (const [name, { base_url, api_key_env }] of Object.entries(config.providers)) {
    const kind = kinds.get(name)
    if (kind) {
      if (base_url !== undefined) seen[kind.base_url_variable] = base_url
      if (api_key_env !== undefined) seen[kind.key_variables[0]] = env[api_key_env]
      continue
    }
    if (base_url === undefined)
      throw new Problem('bad_input', `providers.${name} has no base_url; only ${[...kinds.keys()].join(', ')} have one of their own`)
    Object.assign(servers, { [name]: { base_url, key_variable: api_key_env ?? null } })
  }
  const context_windows = Object.assign({}, ...Object.values(config.providers).map((provider) => provider.context_windows))
  return { env: seen, default_model: config.model, servers, context_windows }
}

/** The outside coding agents, each with the values of exactly the variables it may see. */
export function outsideAgents({ config }: LoadedConfig, env: Environment): OutsideAgent[] {
  return Object.entries(config.agents).map(([name, agent]) => ({
    name,
    command: agent.command,
    args: agent.args,
    mounts: agent.mounts,
    env: Object.fromEntries(agent.env.flatMap((variable) => (env[variable] === undefined ? [] : [[variable, env[variable]]]))),
    unsandboxed: config.sandbox.unsandboxed,
  }))
}
