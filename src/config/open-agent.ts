import { existsSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import type { AgentContext, ChosenModel, ModelChoice } from '../agent/agent.ts'
import { reachedQuota } from '../agent/quota/quotas.ts'
import { accountOf, withinQuota } from '../agent/quota/within-quota.ts'
import type { OutsideAgent } from '../agent/outside.ts'
import type { RunEvent } from '../domain/event.ts'
import { Problem } from '../domain/problem.ts'
import { isNoModel, modelsOf } from '../domain/role.ts'
import type { Run } from '../domain/run.ts'
import { defaultModel, resolveModel } from '../providers/open.ts'
import { DelegationLimits } from '../roles/delegation.ts'
import type { Roles } from '../roles/roles.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import type { ApprovalSettings } from '../tools/approvals.ts'
import { allTools } from '../tools/all.ts'
import { serverTools } from '../tools/outside/server-tools.ts'
import type { LoadedConfig } from './load.ts'
import type { Environment } from './places.ts'
import {
  checkpointSettings,
  commandSettings,
  outsideAgents,
  outsideServers,
  providerSettings,
  secretsOf,
  userSkillFolders,
} from './wiring.ts'

/** What is open already when an agent is put together. */
export interface AgentParts {
  loaded: LoadedConfig
  env: Environment
  driver: Driver
  roles: Roles
  sandbox: SandboxState
  onEvent: (event: RunEvent) => void
}

/** The agent that plays runs in this process, as the configuration wants it. */
export function agentFrom({ loaded, env, driver, roles, sandbox, onEvent }: AgentParts): AgentContext {
  const { config } = loaded
  return {
    driver,
    roles,
    tools: [...allTools, ...serverTools(outsideServers(loaded, env))],
    chosenModelFor: (run, choice) => chosenModelFor({ loaded, env, driver, roles, sandbox }, run, choice),
    delegation: DelegationLimits.parse({}),
    approvals: { tools: config.approvals, never_ask: false },
    sandbox,
    commands: commandSettings(loaded),
    secrets: secretsOf(loaded, env),
    userInstructions: loaded.places.user_instructions,
    userSkills: userSkillFolders(loaded, env),
    ...(config.checkpoints.enabled && { checkpoints: checkpointSettings(loaded) }),
    now: () => new Date(),
    onEvent,
  }
}

/** The model of a run: the one that was chosen, else the role's own, else the configured one. */
export function modelFor(parts: ModelParts, agentRole: string, chosen: string | null): string {
  return modelsFor(parts, agentRole, chosen)[0] ?? 'default'
}

/** The same with those that take over, in this order, while the limit of the first is reached. What a person chose is used alone. */
export function modelsFor({ loaded, env, roles }: ModelParts, agentRole: string, chosen: string | null): string[] {
  const named = chosen === null ? modelsOf(roles.resolve(agentRole).role) : [chosen]
  return named.map((model) => (model === 'default' ? defaultModel(providerSettings(loaded, env)) : model))
}

type ModelParts = Pick<AgentParts, 'loaded' | 'env' | 'roles'>

/** The first of several models whose limit is not reached; the first of all where each is. */
export async function freeModel(
  { loaded, env, driver }: Pick<AgentParts, 'loaded' | 'env' | 'driver'>,
  models: readonly string[],
): Promise<string> {
  const [first = 'default', ...others] = models
  const reached = async (model: string) => {
    const provider = isNoModel(model) ? model : (await resolveModel(model, providerSettings(loaded, env))).provider.name
    return reachedQuota(driver, accountOf(model, provider))
  }
  const own = await reached(first)
  if (own === null) return first
  for (const model of [...(own.instead === null ? [] : [own.instead]), ...others]) if ((await reached(model)) === null) return model
  return first
}

/** Refuses a model that nobody could ask: better before work is given out than at each try to do it. */
export async function needModel({ loaded, env }: Pick<AgentParts, 'loaded' | 'env'>, model: string): Promise<void> {
  if (outsideAgent(loaded, env, model) === null) await resolveModel(model, providerSettings(loaded, env))
}

type RunParts = Pick<AgentParts, 'loaded' | 'env' | 'roles' | 'driver' | 'sandbox'>

async function chosenModelFor(parts: RunParts, run: Run, { sameKind = false, approvals }: ModelChoice = {}): Promise<ChosenModel> {
  const { model, agent_role } = run
  const named = modelsFor(parts, agent_role, null)
  const others = named.includes(model) ? named.filter((other) => other !== model) : []
  return withinQuota({
    driver: parts.driver,
    model,
    others,
    sameKind,
    open: (name) => openModel(parts, { ...run, model: name }, approvals),
  })
}

async function openModel({ loaded, env, sandbox, driver }: RunParts, run: Run, approvals?: ApprovalSettings): Promise<ChosenModel> {
  const outside = outsideAgent(loaded, env, run.model)
  if (outside === null) return resolveModel(run.model, providerSettings(loaded, env))
  if (outside.protocol === 'acp') {
    const { acpAgentModel } = await import('../agent/outside-acp/performer.ts')
    return acpAgentModel({ outside, run, sandbox, approvals, driver })
  }
  const { outsideAgentModel } = await import('../agent/outside.ts')
  return outsideAgentModel(outside, run, sandbox)
}

/** `agent/NAME` is an outside agent; everything else is a model, and null here. */
function outsideAgent(loaded: LoadedConfig, env: Environment, model: string): OutsideAgent | null {
  const [prefix, name] = model.split('/')
  if (prefix !== 'agent') return null
  const agents = outsideAgents(loaded, env)
  const outside = agents.find((agent) => agent.name === name)
  const known = agents.map((agent) => agent.name).join(', ') || 'none'
  if (!outside) throw new Problem('bad_input', `there is no outside agent ${name}; configured under agents: ${known}`)
  const { command, mounts } = outside
  const folders = (env['PATH'] ?? '').split(delimiter)
  if (!command.includes('/') && !folders.some((folder) => existsSync(resolve(folder, command))))
    throw new Problem('bad_input', `${command}, the program of the outside agent ${name}, is not on your PATH; install it first`)
  const gone = mounts.find((path) => !existsSync(path))
  if (gone !== undefined)
    throw new Problem('bad_input', `${gone} is not there; start ${command} once by itself, or take that out of agents.${name}.mounts`)
  return outside
}
