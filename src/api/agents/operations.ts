import * as z from 'zod'
import type { ServersContext } from '../../config/mcp/context.ts'
import { loadConfig, type LoadedConfig } from '../../config/load.ts'
import { AgentConfig, AgentName } from '../../config/schema.ts'
import { changeUserFile } from '../../config/settings.ts'
import { outsideAgents } from '../../config/wiring.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { closest } from '../../domain/text/closest.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { DoctorCheck } from '../doctor/check.ts'
import { shakeHands } from './handshake.ts'
import { findAgent, installFix, isThere, lookAtAgent, notFound } from './look.ts'
import { agentPresets, presetOf } from './presets.ts'

const seconds = z.number().positive().max(60).default(20).describe('for how long it may take to start and to answer')
const Checked = z.object({
  name: z.string(),
  ok: z.boolean(),
  findings: z.array(DoctorCheck),
})
type Checked = z.infer<typeof Checked>

const listAgents = defineOperation({
  name: 'agent.list',
  summary: 'List the outside agents of your settings, and whether the program of each is found',
  by: ['person'],
  effect: 'read',
  command: 'agents list',
  input: z.strictObject({}),
  output: z.object({
    agents: z.array(
      z.object({
        name: z.string(),
        protocol: AgentConfig.shape.protocol,
        command: z.string(),
        found: z.string().nullable().describe('where its program is; never one of a project'),
      }),
    ),
  }),
  example: {},
  tell: ({ agents }) =>
    agents.map(({ name, protocol, command, found }) => `${name}: ${protocol}, ${found ?? `${command} is not found`}`).join('\n'),
  run: async ({ env, cwd }: ServersContext) => {
    const { config } = await loadConfig({ env, cwd })
    const agents = Object.entries(config.agents)
    return {
      agents: agents.map(([name, { protocol, command }]) => ({ name, protocol, command, found: findAgent(command, env, cwd) })),
    }
  },
})

const checkAgent = defineOperation({
  name: 'agent.check',
  summary: 'Look for what an outside agent needs, and start it once to see whether it answers',
  by: ['person'],
  effect: 'change',
  command: 'agents check <name>',
  input: z.strictObject({ name: z.string(), timeout_s: seconds }),
  output: Checked,
  example: { name: 'claude' },
  tell: told,
  run: async (context: ServersContext, { name, timeout_s }) => check(context, await loadConfig(context), name, timeout_s),
})

const addAgent = defineOperation({
  name: 'agent.add',
  summary: 'Add an outside agent to your settings, and check it',
  by: ['person'],
  effect: 'change',
  command: 'agents add <name> [args...]',
  absent: { http: 'an agent is a program of yours that is started, so it is added at the terminal, where no page can do it in your name' },
  input: z.strictObject({
    name: AgentName.describe(`${Object.keys(agentPresets).join(', ')}, or a name of your own with a command`),
    command: z.string().min(1).optional().describe('its program: a name on your PATH or an absolute path'),
    args: z.array(z.string()).default([]).describe('its arguments; those that are known when left out'),
    protocol: AgentConfig.shape.protocol.unwrap().default('acp').describe('how it is spoken to'),
    env: z.array(AgentConfig.shape.env.unwrap().element).default([]).describe('more variables it is given, by name or NAME=value'),
    mounts: z
      .array(AgentConfig.shape.mounts.unwrap().element)
      .default([])
      .describe('more folders it needs, such as the one it is installed in'),
    timeout_s: seconds,
  }),
  output: Checked.extend({ entry: AgentConfig }),
  example: { name: 'claude' },
  tell: (added) => `Added ${added.name}: ${[added.entry.command, ...added.entry.args].join(' ')}\n${told(added)}`,
  run: async (context: ServersContext, { name, timeout_s, ...given }) => {
    const loaded = await loadConfig(context)
    if (Object.hasOwn(loaded.config.agents, name))
      throw new Problem('conflict', `there is an outside agent ${name} already; change agents.${name} in ${loaded.places.user_config}`, {
        next: [{ operation: 'agent.check', input: { name } }],
      })
    const entry = entryFor(context, name, given)
    const agent = AgentConfig.parse(entry)
    if (context.dry !== true) await changeUserFile(context, (document) => document.setIn(['agents', name], document.createNode(entry)))
    const after = { ...loaded, config: { ...loaded.config, agents: { ...loaded.config.agents, [name]: agent } } }
    return { ...(await check(context, after, name, timeout_s)), entry: agent }
  },
})

/** What is given goes before what is known of an agent of that name; of its folders those that are there. */
function entryFor(
  { env, cwd }: ServersContext,
  name: string,
  given: Pick<AgentConfig, 'args' | 'env' | 'mounts' | 'protocol'> & { command?: string | undefined },
) {
  const preset = presetOf(name)
  const wanted = given.command ?? preset?.command
  if (wanted === undefined) {
    const known = Object.keys(agentPresets).join(', ')
    throw new Problem('bad_input', `${name} is not one of ${known}; say with command which program it is`)
  }
  const command = findAgent(wanted, env, cwd)
  if (command === null) throw new Problem('not_found', `${notFound(wanted)}; ${installFix(name)}`)
  const args = given.args.length > 0 ? given.args : [...(preset?.args ?? [])]
  const variables = [...new Set([...(preset?.env ?? []), ...given.env])]
  const mounts = [...new Set([...(preset?.mounts ?? []).filter(isThere), ...given.mounts])]
  return {
    protocol: given.protocol,
    command,
    ...(args.length > 0 && { args }),
    ...(variables.length > 0 && { env: variables }),
    ...(mounts.length > 0 && { mounts }),
    ...(preset?.network && { network: [...preset.network] }),
  }
}

/** A dry run looks and starts nothing. */
async function check(context: ServersContext, loaded: LoadedConfig, name: string, timeout_s: number): Promise<Checked> {
  const { env, cwd, dry, signal } = context
  const agent = needAgent(loaded, name)
  const findings = lookAtAgent(name, agent, env, cwd)
  const command = findAgent(agent.command, env, cwd)
  const outside = outsideAgents(loaded, env).find((each) => each.name === name)
  const isReady = findings.every(({ state }) => state !== 'bad')
  if (dry !== true && agent.protocol === 'acp' && isReady && command !== null && outside !== undefined) {
    const shaken = await shakeHands({ ...outside, command }, await detectSandbox(), timeout_s * 1_000, signal)
    findings.push({ what: 'handshake', ...shaken })
  }
  return { name, ok: findings.every(({ state }) => state !== 'bad'), findings }
}

function needAgent({ config }: LoadedConfig, name: string): AgentConfig {
  const found = Object.hasOwn(config.agents, name) ? config.agents[name] : undefined
  if (found !== undefined) return found
  const near = closest(name, Object.keys(config.agents))
  throw new Problem('not_found', `there is no outside agent ${name}${near === null ? '' : `; did you mean ${near}?`}`, {
    next: [presetOf(name) === undefined ? { operation: 'agent.list' } : { operation: 'agent.add', input: { name } }],
  })
}

function told({ findings }: Checked): string {
  return findings.map(({ what, state, found, fix }) => `${state} ${what}: ${found}${fix === undefined ? '' : `; ${fix}`}`).join('\n')
}

export const outsideAgentOperations = [listAgents, checkAgent, addAgent] as const
