import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { networkPolicy } from '../domain/network/policy.ts'
import { secretsIn } from '../domain/text/mask.ts'
import type { CheckpointSettings } from '../checkpoints/workspace.ts'
import { readProjectServers } from '../outside/project-file.ts'
import { readTrustedEntries } from '../outside/trust-file.ts'
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

/** Where the user's skills are: those for Troupe first, then those for every agent. */
export function userSkillFolders({ places }: Pick<LoadedConfig, 'places'>, env: Environment): string[] {
  return [places.user_skills, join(env['HOME'] || homedir(), '.agents/skills')]
}

/** What opening a model depends on. */
export function providerSettings({ config }: LoadedConfig, env: Environment): ProviderSettings {
  return { env, model: config.model, providers: config.providers, models: config.models }
}

/** The values that must not be written down, the keys that the configuration names by their variables among them. */
export function secretsOf(loaded: LoadedConfig, env: Environment): string[] {
  const { config } = loaded
  return secretsIn(env, [
    ...Object.values(config.providers).flatMap(({ api_key_env }) => api_key_env ?? []),
    ...notificationVariables(loaded),
    ...projectServers(loaded, env).servers.flatMap(({ wants, isTrusted }) => (isTrusted ? wants.filter(isSecretName) : [])),
    ...Object.values(config.mcp_servers).flatMap(({ env: names, headers }) => [...names, ...Object.values(headers)].filter(isSecretName)),
  ])
}

/** The variables that the notifications of the user name. */
export function notificationVariables({ config: { notifications } }: Pick<LoadedConfig, 'config'>): string[] {
  return [notifications.webhook?.secret_env, notifications.ntfy?.token_env].flatMap((name) => name ?? [])
}

/** What every program is told is not a secret: masked, it would be missing from ordinary text. */
function isSecretName(name: string): boolean {
  return !Object.hasOwn(scrubbedEnvironment(), name) && name !== 'TMPDIR'
}

/** The folder that the reviews of servers are kept in. */
export function reviewFolder({ places }: Pick<LoadedConfig, 'places'>): string {
  return join(places.home, 'mcp')
}

/** Where the entries of projects are kept that the user trusts. */
export function trustFile(loaded: Pick<LoadedConfig, 'places'>): string {
  return join(reviewFolder(loaded), 'trusted.json')
}

/** The servers of tools that agents here may use: those of the user, and those of the project that the user trusts. */
export function outsideServers(loaded: LoadedConfig, env: Environment): OutsideServer[] {
  const own = userServers(loaded, env)
  const { servers } = projectServers(loaded, env)
  return [...own, ...servers.filter(({ name, isTrusted }) => isTrusted && !own.some((server) => server.name === name))]
}

/** The servers that the project names, whether trusted or not, and what cannot be used of its file. Of two with one name the user's own counts. */
export function projectServers(loaded: LoadedConfig, env: Environment) {
  const { entries, faults } = readProjectServers(dirname(loaded.places.project), env)
  const trusted = entries.length === 0 ? {} : readTrustedEntries(trustFile(loaded))
  const servers = entries.map(({ name, digest, settings, headers, wants, where }) => {
    const leave = Object.hasOwn(trusted, digest) ? trusted[digest] : undefined
    const { name: _, root: __, ...allowed } = leave ?? {}
    const file = join(reviewFolder(loaded), `project-${digest.slice(0, 32)}.json`)
    const reviewed = leave === undefined ? null : readReview(file)
    const server = {
      name,
      settings: { ...settings, ...allowed },
      from: 'project' as const,
      env: settings.variables,
      headers,
      file,
      reviewed,
    }
    return { ...server, digest, where, wants, isTrusted: leave !== undefined }
  })
  return { servers, faults }
}

function userServers(loaded: LoadedConfig, env: Environment): OutsideServer[] {
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
    env: Object.fromEntries(agent.env.flatMap((variable) => variableOf(variable, env))),
    protocol: agent.protocol,
    network: networkPolicy(agent.network),
    commandNetwork: networkPolicy(config.sandbox.network),
    unsandboxed: config.sandbox.unsandboxed,
  }))
}

/** `NAME` passes on the value it has here, `NAME=value` gives it one. */
function variableOf(stated: string, env: Environment): [string, string][] {
  const [name = '', ...value] = stated.split('=')
  if (value.length > 0) return [[name, value.join('=')]]
  return env[name] === undefined ? [] : [[name, env[name]]]
}
