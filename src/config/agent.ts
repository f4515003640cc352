import type { Agent, Performer } from '../agent/agent.ts'
import { outsidePerformer } from '../agent/outside.ts'
import { closest } from '../domain/closest.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import { defaultModel, resolveModel } from '../providers/open.ts'
import { DelegationLimits } from '../roles/delegation.ts'
import type { Roles } from '../roles/roles.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import { allTools } from '../tools/all.ts'
import type { LoadedConfig } from './load.ts'
import { outsideAgents, providerSettings } from './wiring.ts'

/** How a model name says that an outside coding agent plays: `agent:claude`. */
const OUTSIDE = 'agent:'

/** What was opened already; the rest of an agent comes from the configuration. */
export interface AgentParts {
  driver: Driver
  roles: Roles
  sandbox: SandboxState
  onEvent: Agent['onEvent']
}

/** The agent this process lends to its runs. */
export function agentFrom(loaded: LoadedConfig, { driver, roles, sandbox, onEvent }: AgentParts): Agent {
  const { config } = loaded
  return {
    driver,
    roles,
    sandbox,
    onEvent,
    tools: allTools,
    performerFor: (run) => performerFor(loaded, run, sandbox),
    delegation: DelegationLimits.parse({}),
    approvals: { tools: config.approvals, never_ask: false },
    network: config.sandbox.network,
    allowedSecrets: config.allowed_secrets,
    now: () => new Date(),
  }
}

/** The model of a run: the one that was chosen, else the role's own, else the configured one. */
export function modelFor(loaded: LoadedConfig, roles: Roles, agentRole: string, chosen: string | null): string {
  const named = chosen ?? roles.resolve(agentRole).role.llm_model
  return named === 'default' ? defaultModel(providerSettings(loaded, process.env)) : named
}

async function performerFor(loaded: LoadedConfig, run: Run, sandbox: SandboxState): Promise<Performer> {
  if (!run.model.startsWith(OUTSIDE)) return resolveModel(run.model, providerSettings(loaded, process.env))
  const name = run.model.slice(OUTSIDE.length)
  const known = outsideAgents(loaded, process.env)
  const outside = known.find((agent) => agent.name === name)
  if (outside) return outsidePerformer(outside, run, sandbox)
  const near = closest(
    name,
    known.map((agent) => agent.name),
  )
  throw new Problem(
    'bad_input',
    `no outside agent is called ${name}; ${near === null ? 'set it up under agents: in your config.yaml' : `did you mean ${near}?`}`,
  )
}
