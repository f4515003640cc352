import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Usage, type Entry } from '../domain/entry.ts'
import { canBeMounted } from '../domain/bounds.ts'
import { hostRule } from '../domain/network/leave.ts'
import { narrowedPolicy, networkPolicy, ruleText, unitedPolicy, type NetworkPolicy } from '../domain/network/policy.ts'
import { changePermissions, missingPermissions } from '../domain/permission.ts'
import { Problem } from '../domain/problem.ts'
import { readBareLimit } from '../domain/quota/limit-message.ts'
import type { Run } from '../domain/run.ts'
import type { ModelReply, ModelRequest, ModelWatch } from '../providers/provider.ts'
import { gitRecords } from '../sandbox/git/records.ts'
import { removeFolder } from '../sandbox/files/remove-folder.ts'
import { runCommand } from '../sandbox/run-command.ts'
import { FLOOD_BYTES } from '../sandbox/process/run-process.ts'
import { scratchFolder } from '../sandbox/files/scratch-folder.ts'
import type { Command, CommandResult, SandboxState, WorkspaceAccess } from '../sandbox/sandbox.ts'
import type { ChosenModel } from './agent.ts'

/** An outside coding agent as the user configured it: a command line in which {prompt}, {prompt_file}, {workspace} and {model} are filled in. */
export interface OutsideAgent {
  name: string
  command: string
  args: readonly string[]
  /** Files and folders it keeps its own settings and logins in. */
  mounts: readonly string[]
  env: Readonly<Record<string, string>>
  /** Whom it reaches for its model and its login; everybody unless it is said. */
  network?: NetworkPolicy
  /** Whom commands reach: what its role leaves of that is its own too. */
  commandNetwork?: NetworkPolicy
  /** The user allowed commands without a sandbox where there is none. */
  unsandboxed?: boolean
  /** How it is spoken to: started for each request with the whole prompt, or once, over the Agent Client Protocol. */
  protocol?: 'command' | 'acp'
}

const TIMEOUT_MS = 60 * 60_000
const OUTPUT_BYTES = 2_000_000

/** The longest argument the kernel passes on. */
const ARGUMENT_BYTES = 128 * 1024 - 1

/** An outside agent that plays a run: started inside the sandbox of the run's role, its output taken as the reply. */
export function outsideAgentModel(outside: OutsideAgent, run: Run, sandbox: SandboxState): ChosenModel {
  const ask = async (request: ModelRequest, signal: AbortSignal, { onText }: ModelWatch = {}): Promise<ModelReply> => {
    const scratch = await scratchFolder(tmpdir(), 'troupe-prompt-')
    try {
      const command = await commandFor(outside, run, wholePrompt(request), scratch)
      const result = await runCommand({ ...command, signal, ...(onText && { onOutput: onText }) }, sandbox)
      return replyOf(outside, result)
    } finally {
      await removeFolder(scratch)
    }
  }
  return { provider: { name: outside.name, contextWindow: () => null, ask }, model: run.model, acts: accessOf(run) === 'change' }
}

export async function commandFor(outside: OutsideAgent, run: Run, prompt: string, scratch: string): Promise<Command> {
  const promptFile = join(scratch, 'prompt.md')
  await writeFile(promptFile, prompt, { mode: 0o600 })
  const values: Record<string, string> = { prompt, prompt_file: promptFile, workspace: run.workspace, model: run.model }
  const filled = outside.args.map((arg) =>
    arg.replaceAll(/\{(prompt|prompt_file|workspace|model)\}/g, (_, name: string) => values[name] ?? ''),
  )
  const long = filled.find((arg) => Buffer.byteLength(arg) > ARGUMENT_BYTES)
  if (long !== undefined) {
    throw new Problem(
      'too_large',
      `the prompt for ${outside.name} is too long for an argument; write {prompt_file} instead of {prompt} in its args`,
    )
  }
  return {
    argv: [outside.command, ...filled],
    root: run.workspace,
    access: accessOf(run),
    bounds: run.bounds,
    network: networkOf(outside, run),
    mounts: [
      { path: scratch, access: 'read' },
      ...(await gitRecords(run.workspace, scratch)),
      ...outside.mounts.map((path) => ({ path, access: 'change' as const })),
    ],
    env: outside.env,
    timeoutMs: Math.min(TIMEOUT_MS, run.limits.max_wall_ms ?? Infinity),
    outputBytes: OUTPUT_BYTES,
    ...(outside.args.some((arg) => arg.includes('{prompt')) ? {} : { stdin: prompt }),
    ...(outside.unsandboxed === true && { unsandboxed: true }),
  }
}

/** Without a list of its own nobody knows where its model is, so it has all of the network. */
function networkOf({ network = 'on', commandNetwork = 'off' }: OutsideAgent, { bounds }: Run): NetworkPolicy {
  return unitedPolicy(network, narrowedPolicy(commandNetwork, networkPolicy(bounds.network)))
}

/** It is a shell of its own, so what a shell may do to files decides: everything, nothing that lasts, or nothing. */
export function accessOf({ permissions, bounds }: Run): WorkspaceAccess {
  if (missingPermissions(permissions, changePermissions).length === 0 && canBeMounted(bounds.write_paths)) return 'change'
  return permissions.includes('execute_commands') ? 'throw_away' : 'read'
}

/** One text for an agent that is started again each time: the rules of its role, then what was said. */
export function wholePrompt({ system, entries }: ModelRequest): string {
  return [system, ...entries.map(spoken).filter((text) => text !== '')].join('\n\n')
}

export function spoken(entry: Entry): string {
  if (entry.from === 'user') return entry.text
  if (entry.from === 'assistant') return entry.text === '' ? '' : `Earlier you answered:\n${entry.text}`
  return entry.from === 'note' ? `Note: ${entry.text}` : ''
}

function replyOf(outside: OutsideAgent, result: CommandResult): ModelReply {
  const { exit_code, ended, stdout, cut_bytes } = result
  if (ended === 'stopped') throw new Problem('stopped', `${outside.name} was stopped`)
  if (ended === 'timed_out')
    throw new Problem('budget', `${outside.name} did not finish in its time and was ended`, { details: { result } })
  if (exit_code === 127) throw new Problem('bad_input', `${outside.name} cannot be started: there is no program ${outside.command}`)
  if (exit_code !== 0 || ended !== 'exited') {
    const how =
      ended === 'flooded' ? `was stopped: it printed more than ${FLOOD_BYTES / 1024 ** 2} MiB, at last` : `ended with ${exit_code ?? ended}`
    throw new Problem('provider_failed', `${outside.name} ${how}: ${lastWords(result)}${refusedHosts(outside, result)}`, {
      details: { exit_code, ended },
    })
  }
  const limit = readBareLimit(stdout, new Date())
  if (limit !== null) throw new Problem('provider_failed', `${outside.name} said: ${limit.message}`)
  const text = cut_bytes > 0 ? `${stdout.trim()}\n[${cut_bytes} bytes of output were cut]` : stdout.trim()
  return { text, calls: [], usage: Usage.parse({}), model: outside.name, stop: 'end' } // what it used it does not say
}

/** It may have failed for want of a host that nobody thought of. */
function refusedHosts({ name }: OutsideAgent, { refused = [] }: CommandResult): string {
  if (refused.length === 0) return ''
  const hosts = refused.map((host) => ruleText(hostRule(host)))
  return `\nIt was refused ${hosts.join(', ')}. If it needs a host for its model, add it to agents.${name}.network`
}

const LINES_QUOTED = 10

/** The reason is in a line of the screen and in the next prompt: what was said last is quoted, not all of it. */
function lastWords({ stdout, stderr, ended }: CommandResult): string {
  const words = (stderr.trim() || stdout.trim()).slice(-2_000)
  const lines = words.split('\n').slice(ended === 'flooded' ? -1 : -LINES_QUOTED)
  return lines.join('\n') || 'it said nothing'
}
