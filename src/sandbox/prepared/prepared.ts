import { isMovedUnder } from '../process/at-once.ts'
import { overlayWorks } from '../detect.ts'
import { nestedGitFolders } from '../guarded.ts'
import { lookAround } from '../look-around.ts'
import type { Command, SandboxKind, SandboxState, WorkspaceAccess } from '../sandbox.ts'
import { atLeisure } from './at-leisure.ts'
import { drawBlueprint } from './blueprint.ts'
import { type BuiltSandbox, buildFrom } from './built-sandbox.ts'

/** What became of the sandbox that waited for a command: it was used, it was built for what is no longer so, or it had ended. */
export type PreparedUse = 'used' | 'outdated' | 'died'

/** The sandboxes of one run that were built ahead of need: at most one waits for each access, and each runs one command. */
export interface PreparedSandboxes {
  /** Builds one for a command like this. Where it cannot be built nothing waits, and the command itself finds out why. */
  prepare(command: Command): Promise<void>
  /** The one that waits, if it is what would be built now; what is not is thrown away. */
  take(access: WorkspaceAccess, mark: string): { sandbox: BuiltSandbox | null; use: PreparedUse | null }
  /** Ends what waits; nothing is prepared any more. */
  close(): void
}

/** Beyond this many in one process the next are built when they are needed. */
const MOST_WAITING = 128

let waitingNow = 0

/** Those of one run; none wait until it is asked for one. */
export function preparedSandboxes(state: SandboxState): PreparedSandboxes {
  const waiting = new Map<WorkspaceAccess, BuiltSandbox>()
  let closed = false
  let needed = false
  const remove = (access: WorkspaceAccess) => {
    const sandbox = waiting.get(access)
    if (sandbox !== undefined) waitingNow -= 1
    waiting.delete(access)
    return sandbox
  }
  const build = (kind: SandboxKind, command: Command, nested: readonly string[]) => {
    if (closed || isMovedUnder(kind, command.root)) return
    const blueprint = drawBlueprint(kind, command, { as: command.access === 'throw_away' ? 'overlay' : command.access }, nested)
    if (isReady(waiting.get(command.access), blueprint.mark)) return
    remove(command.access)?.discard()
    if (waitingNow >= MOST_WAITING) return
    waiting.set(command.access, buildFrom(blueprint))
    waitingNow += 1
  }
  const prepare = async (kind: SandboxKind, command: Command) => {
    await lookAround()
    // A workspace that has to be copied is copied when it is needed, as it is then.
    if (command.access === 'throw_away' && !(await overlayWorks(kind))) return
    const nested = command.access === 'change' ? await nestedGitFolders(command.root) : []
    if (needed) build(kind, command, nested)
    else await atLeisure(() => build(kind, command, nested))
  }
  return {
    prepare: async (command) => {
      if (state.kind === 'none' || closed || command.stdin !== undefined) return
      await prepare(state.kind, command).catch(() => undefined)
    },
    take: (access, mark) => {
      needed = true
      const sandbox = remove(access)
      if (sandbox === undefined) return { sandbox: null, use: null }
      if (isReady(sandbox, mark)) return { sandbox, use: 'used' }
      sandbox.discard()
      return { sandbox: null, use: sandbox.process.hasEnded() ? 'died' : 'outdated' }
    },
    close: () => {
      closed = true
      for (const access of waiting.keys()) remove(access)?.discard()
    },
  }
}

function isReady(sandbox: BuiltSandbox | undefined, mark: string): boolean {
  return sandbox?.mark === mark && !sandbox.process.hasEnded()
}
