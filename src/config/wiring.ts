import { homedir } from 'node:os'
import { join } from 'node:path'
import { networkPolicy } from '../domain/network/policy.ts'
import { secretsIn } from '../domain/text/mask.ts'
import type { CheckpointSettings } from '../checkpoints/workspace.ts'
import { readReview, serverFileName } from '../outside/review-file.ts'
import { valuesOf, type OutsideServer } from '../outside/server.ts'
import type { OutsideAgent } from '../agent/outside.ts'
import { hostedKindNames, hostedKinds, keyIn, type ProviderSettings } from '../providers/settings.ts'
import { builtInDir, type RoleFolders } from '../roles/load.ts'
import { scrubbedEnvironment } from '../sandbox/process/environment.ts'
import type { CommandSettings } from '../sandbox/sandbox.ts'
import type { LoadedConfig } from './load.ts'
import type { Environment } from './places.ts'

/** Where the store is: what is configured, else a file in our home. */
export function storeAddress({ config, places }: LoadedConfig): string {
  return config.store ?? `sqlite:${join(places.home, 'troupe.db')}`
}

/** What commands may do beyond their workspace, as those read it who run them. */
export function commandSettings({ config }: Pick<LoadedConfig, 'config'>): CommandSettings {
  const { network, unsandboxed } = config.sandbox
  return { network: networkPolicy(network), unsandboxed, allowedSecrets: config.allowed_secrets }
}

/** The folders roles are read from, for a workspace. */
export function roleFolders({ config, places }: LoadedConfig, workspace: string): RoleFolders {
  return { builtInDir, userDir: places.user_roles, projectDir: join(workspace, '.troupe', 'roles'), models: config.models }
}

/** What opening a model depends on. */
export function providerSettings({ config }: LoadedConfig, env: Environment): ProviderSettings {
  return { env, model: config.model, providers: config.providers, models: config.models }
}

/** The values that must not be written down, the keys that the configuration names by their variables among them. */
export function secretsOf({ config }: LoadedConfig, env: Environment): string[] {
  return secretsIn(env, [
    ...Object.values(config.providers).flatMap(({ api_key_env }) => api_key_env ?? []),
    ...Object.values(config.mcp_servers).flatMap(({ env: names, headers }) => [...names, ...Object.values(headers)].filter(isSecretName)),
  ])
}

/** What every program is told is not a secret: masked, it would be missing from ordinary text. */
function isSecretName(name: string): boolean {
  return !Object.hasOwn(scrubbedEnvironment(), name) && name !== 'TMPDIR'
}

/** The folder that the reviews of servers are kept in. */
export function reviewFolder({ places }: Pick<LoadedConfig, 'places'>): string {
  return join(places.home, 'mcp')
}

/** The servers of tools that the user configured, each with the values it may see and what was reviewed of it. */
export function outsideServers(loaded: LoadedConfig, env: Environment): OutsideServer[] {
  return Object.entries(loaded.config.mcp_servers).map(([name, settings]) => {
    const file = join(reviewFolder(loaded), serverFileName(name))
    return { name, settings, from: 'user' as const, ...valuesOf(settings, env), file, reviewed: readReview(file) }
  })
}

/** Where files are kept before they change, and how much of them. */
export function checkpointSettings({ config: { checkpoints }, places }: LoadedConfig): CheckpointSettings {
  const { max_age_days, max_mb, max_file_mb } = checkpoints
  return {
    folder: join(places.home, 'checkpoints'),
    maxBytes: max_mb * 1_000_000,
    maxFileBytes: max_file_mb * 1_000_000,
    maxAgeMs: max_age_days * 24 * 60 * 60 * 1_000,
  }
}

/** The models a person can choose from by name: those the settings name, the usual one of each provider with a key, and the outside agents. */
export function configuredModels({ config }: LoadedConfig, env: Environment): string[] {
  const withKey = hostedKindNames.filter((kind) => keyIn(env, hostedKinds[kind].key_variables) !== null)
  const named = [
    ...(config.model === null ? [] : [config.model]),
    ...withKey.map((kind) => `${kind}/${hostedKinds[kind].default_model}`),
    ...Object.keys(config.models).filter((name) => !name.endsWith('*')),
    ...Object.keys(config.agents).map((name) => `agent/${name}`),
  ]
  return [...new Set(named)]
}

/** The outside coding agents, each with the values of exactly the variables it may see. */
export function outsideAgents({ config }: LoadedConfig, env: Environment): OutsideAgent[] {
  return Object.entries(config.agents).map(([name, agent]) => ({
    name,
    command: agent.command,
    args: agent.args,
    mounts: agent.mounts.map((path) => path.replace(/^~(?=\/)/, homedir())),
    env: Object.fromEntries(agent.env.flatMap((variable) => (env[variable] === undefined ? [] : [[variable, env[variable]]]))),
    unsandboxed: config.sandbox.unsandboxed,
  }))
}
