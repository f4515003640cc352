import type { Server } from 'node:net'
import { Problem } from '../domain/problem.ts'
import { definedOnly } from '../domain/text/unknown-value.ts'
import { copyWorkspace } from './files/copy-workspace.ts'
import { notMovedUnder } from './process/at-once.ts'
import { overlayWorks } from './detect.ts'
import { scrubbedEnvironment } from './process/environment.ts'
import { type Guarded, withGitGuarded } from './guarded.ts'
import { limitsOf, setLimits } from './process/limits.ts'
import { lookAround } from './look-around.ts'
import { findProgram } from './process/program.ts'
import { openProxied } from './proxied.ts'
import { type FollowOptions, runProcess } from './process/run-process.ts'
import type { Command, CommandResult, SandboxKind, SandboxState } from './sandbox.ts'
import { type Blueprint, drawBlueprint } from './prepared/blueprint.ts'
import { buildFrom } from './prepared/built-sandbox.ts'
import type { PreparedUse } from './prepared/prepared.ts'
import { type Mount, workingFolder } from './view.ts'

/** Runs a command inside the sandbox its access asks for; where there is none, only what the user allowed runs at all. */
export async function runCommand(command: Command, sandbox: SandboxState): Promise<CommandResult> {
  if (sandbox.kind === 'none') return runBare(command, sandbox)
  const { kind } = sandbox
  return notMovedUnder(kind, command, () => runConfined(kind, command))
}

async function runConfined(kind: SandboxKind, command: Command): Promise<CommandResult> {
  await lookAround()
  const workspace = await workspaceFor(command, kind)
  try {
    const result = await withGitGuarded(command, (guarded) => runProxied(kind, command, workspace.mount, guarded))
    return { ...result, ended: wasKilled(result) ? 'killed' : result.ended }
  } finally {
    await workspace.discard()
    // Not sooner: a command that may change the workspace could swap a folder for a link while mounts are laid over it.
    setImmediate(() => void command.prepared?.prepare(command))
  }
}

async function workspaceFor(
  command: Command,
  kind: SandboxKind,
): Promise<{ mount: Pick<Mount, 'as' | 'from'>; discard: () => Promise<void> }> {
  if (command.access !== 'throw_away') return { mount: { as: command.access }, discard: async () => undefined }
  if (await overlayWorks(kind)) return { mount: { as: 'overlay' }, discard: async () => undefined }
  const copy = await copyWorkspace(command.root)
  return { mount: { as: 'change', from: copy.path }, discard: copy.discard }
}

async function runBare(command: Command, sandbox: Extract<SandboxState, { kind: 'none' }>): Promise<CommandResult> {
  const { reason, fix } = sandbox
  const details = { reason, fix, access: command.access }
  if (command.access !== 'change') {
    const message = `a role that may not change files gets no shell without a sandbox, and there is none here (${reason}); to get one: ${fix}`
    throw new Problem('sandbox_missing', message, { details })
  }
  if (command.unsandboxed !== true) {
    const message = `commands run only in a sandbox, and there is none here (${reason}); to get one: ${fix}; or allow commands without one in the configuration`
    throw new Problem('sandbox_missing', message, { details })
  }
  const setpriv = findProgram('setpriv')
  const argv = ['/bin/sh', '-c', `{ ${setLimits(limitsOf(command))}; } 2>/dev/null; exec "$@"`, 'sh', ...command.argv] as const
  const guarded = setpriv === null ? argv : ([setpriv, '--pdeathsig', 'KILL', '--', ...argv] as const)
  return runProcess(guarded, {
    ...followOptions(command),
    ...(command.stdin !== undefined && { stdin: command.stdin }),
    cwd: workingFolder(command.root, command.cwd),
    env: scrubbedEnvironment(command.env),
  })
}

function followOptions({ timeoutMs, outputBytes, heardBytes, signal, onOutput, onPipes }: Command): FollowOptions {
  return definedOnly({ timeoutMs, outputBytes, heardBytes, signal, onOutput, onPipes })
}

/** A socket or folder that is to be hidden may vanish while the sandbox is built; it is then built again, from what is there now. */
const BUILDS = 3

/** Runs a command beside the proxy where a list says whom it may reach. */
async function runProxied(
  kind: SandboxKind,
  command: Command,
  mount: Pick<Mount, 'as' | 'from'>,
  guarded: Guarded,
): Promise<CommandResult> {
  const proxied = openProxied(command)
  if (proxied === null) return runBuilt(kind, command, mount, guarded)
  try {
    const env = { ...command.env, ...proxied.env }
    return proxied.told(await runBuilt(kind, { ...command, env }, mount, guarded, proxied.onListener))
  } finally {
    proxied.end()
  }
}

/** Runs a command in the sandbox that waits for it, or in a new one. One that could not be built must not look like a command that failed. */
async function runBuilt(
  kind: SandboxKind,
  command: Command,
  mount: Pick<Mount, 'as' | 'from'>,
  { nested, stop }: Guarded,
  onListener?: (listener: Server) => void,
): Promise<CommandResult> {
  const signal = AbortSignal.any([stop, ...(command.signal === undefined ? [] : [command.signal])])
  let prepared: PreparedUse | null = null
  for (let left = BUILDS; ; left--) {
    const blueprint = drawBlueprint(kind, command, mount, nested)
    const taken = takePrepared(command, mount, blueprint)
    const sandbox = taken?.sandbox ?? buildFrom(blueprint, command.stdin)
    prepared ??= taken?.use ?? null
    try {
      const order = blueprint.launch.write({ ...blueprint.view, argv: command.argv })
      const { result, started } = await sandbox.process.run(order, { ...followOptions(command), signal }, onListener)
      if (started || ['stopped', 'timed_out', 'flooded'].includes(result.ended)) return { ...result, ...(prepared && { prepared }) }
      if (taken?.use === 'used') prepared = 'died'
      if (left > 1) continue
      throw new Problem('sandbox_missing', `the sandbox could not be built: ${result.stderr.split('\n')[0]}`, {
        details: { stderr: result.stderr.slice(0, 2000) },
      })
    } finally {
      sandbox.discard()
    }
  }
}

/** What the command reads is connected when a sandbox is built, and a copy of the workspace is made for one command. */
function takePrepared({ prepared, access, stdin }: Command, { from }: Pick<Mount, 'from'>, { mark }: Blueprint) {
  return stdin === undefined && from === undefined ? prepared?.take(access, mark) : undefined
}

/** A limit ends a process with SIGKILL or SIGXCPU, which the sandbox passes on as 128 + 9 or 128 + 24. */
function wasKilled({ exit_code, ended }: CommandResult): boolean {
  return ended === 'exited' && (exit_code === 137 || exit_code === 152)
}
