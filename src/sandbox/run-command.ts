import { Problem } from '../domain/problem.ts'
import { definedOnly } from '../domain/text/unknown-value.ts'
import { confine, start } from './confine.ts'
import { copyWorkspace } from './files/copy-workspace.ts'
import { controlGroup } from './control-group.ts'
import { overlayWorks } from './detect.ts'
import { scrubbedEnvironment } from './process/environment.ts'
import { type Guarded, withGitGuarded } from './guarded.ts'
import { limitsOf, setLimits } from './process/limits.ts'
import { lookAround } from './look-around.ts'
import { findProgram } from './process/program.ts'
import { type ProcessOptions, runProcess } from './process/run-process.ts'
import type { Command, CommandResult, SandboxKind, SandboxState } from './sandbox.ts'
import { type Mount, commandView, workingFolder } from './view.ts'

/** Runs a command inside the sandbox its access asks for; where there is none, only what the user allowed runs at all. */
export async function runCommand(command: Command, sandbox: SandboxState): Promise<CommandResult> {
  if (sandbox.kind === 'none') return runBare(command, sandbox)
  const { kind } = sandbox
  const limits = limitsOf(command)
  await lookAround()
  const workspace = await workspaceFor(command, kind)
  const group = controlGroup(limits)
  try {
    const prepare = ({ nested, stop }: Guarded) => {
      const launch = confine(kind, commandView(command, workspace.mount, nested), command.argv, limits)
      const signal = AbortSignal.any([stop, ...(command.signal === undefined ? [] : [command.signal])])
      return (onReady: () => void) => start(launch, { ...processOptions(command), signal, onReady }, group.door)
    }
    const result = await withGitGuarded(command, (guarded) => built(() => prepare(guarded)))
    return { ...result, ended: wasKilled(result) ? 'killed' : result.ended }
  } finally {
    group.discard()
    await workspace.discard()
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
    ...processOptions(command),
    cwd: workingFolder(command.root, command.cwd),
    env: scrubbedEnvironment(command.env),
  })
}

function processOptions(command: Command): Omit<ProcessOptions, 'env'> {
  const { stdin, timeoutMs, outputBytes, signal, onOutput } = command
  return definedOnly({ stdin, timeoutMs, outputBytes, signal, onOutput })
}

/** A socket or folder that is to be hidden may vanish while the sandbox is built; it is then built anew, from what is there now. */
const BUILDS = 3

/** Runs what waits behind a sandbox. One that could not be built must not look like a command that failed, and nothing ran in it. */
async function built(prepare: () => (onReady: () => void) => Promise<CommandResult>): Promise<CommandResult> {
  for (let left = BUILDS; ; left--) {
    let ready = false
    const result = await prepare()(() => {
      ready = true
    })
    if (ready || result.ended !== 'exited') return result
    if (left > 1) continue
    throw new Problem('sandbox_missing', `the sandbox could not be built: ${result.stderr.split('\n')[0]}`, {
      details: { stderr: result.stderr.slice(0, 2000) },
    })
  }
}

/** A limit ends a process with SIGKILL or SIGXCPU, which the sandbox passes on as 128 + 9 or 128 + 24. */
function wasKilled({ exit_code, ended }: CommandResult): boolean {
  return ended === 'exited' && (exit_code === 137 || exit_code === 152)
}
