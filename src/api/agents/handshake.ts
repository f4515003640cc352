import { tmpdir } from 'node:os'
import type { OutsideAgent } from '../../agent/outside.ts'
import { shownText } from '../../config/mcp/view.ts'
import { unbounded } from '../../domain/bounds.ts'
import { asProblem } from '../../domain/problem.ts'
import { removeFolder } from '../../sandbox/files/remove-folder.ts'
import { scratchFolder } from '../../sandbox/files/scratch-folder.ts'
import type { Command, SandboxState } from '../../sandbox/sandbox.ts'
import { bad, good, type MachineCheck } from '../doctor/check.ts'

/** Starts an agent where it sees an empty folder that it cannot change, exchanges first messages with it and ends it. */
export async function shakeHands(outside: OutsideAgent, sandbox: SandboxState, ms: number, signal?: AbortSignal): Promise<MachineCheck> {
  if (sandbox.kind === 'none') return bad(`it was not started, for want of a sandbox: ${sandbox.reason}`, sandbox.fix)
  const { connectAgent } = await import('../../agent/outside-acp/connection.ts')
  const root = await scratchFolder(tmpdir(), 'troupe-agent-')
  const from = {
    update: () => undefined,
    permission: async () => ({ outcome: { outcome: 'cancelled' as const } }),
    elicit: async () => ({ action: 'cancel' as const }),
  }
  try {
    const { info, close } = await connectAgent(outside.name, commandFor(outside, root, ms, signal), sandbox, from, ms)
    await close()
    const { name = 'it', version = '' } = info.agentInfo ?? {}
    return good(shownText(`${name} ${version}`.trim() + ` answers, protocol ${info.protocolVersion}`))
  } catch (error) {
    signal?.throwIfAborted()
    return bad(
      shownText(asProblem(error).message),
      `start ${outside.command} by itself to see why; if it is not in a system folder, add where it is installed to agents.${outside.name}.mounts`,
    )
  } finally {
    await removeFolder(root)
  }
}

function commandFor({ command, args, mounts, env, network = 'on' }: OutsideAgent, root: string, ms: number, signal?: AbortSignal): Command {
  return {
    argv: [command, ...args.map((arg) => arg.replaceAll('{workspace}', root))],
    root,
    access: 'read',
    bounds: unbounded,
    network,
    mounts: mounts.map((path) => ({ path, access: 'change' as const })),
    env,
    timeoutMs: 2 * ms,
    ...(signal && { signal }),
  }
}
