import type { Bounds } from '../domain/bounds.ts'
import type { NetworkPolicy } from '../domain/network/policy.ts'
import type { Proxy } from '../network/proxy.ts'
import type { RefusedHost } from '../network/session.ts'
import type { Pipes } from './process/run-process.ts'
import type { PreparedSandboxes, PreparedUse } from './prepared/prepared.ts'

/**
 * How a command sees the workspace.
 * `change`: writable. `throw_away`: writable to the command, and nothing of it reaches the workspace. `read`: read-only.
 */
export type WorkspaceAccess = 'change' | 'throw_away' | 'read'

/** What the user lets commands do beyond their workspace. It is read once from the settings and passed on whole. */
export interface CommandSettings {
  /** Whom they may reach. */
  network: NetworkPolicy
  /** They may run bare where no sandbox works; only for roles that may change everything anyway, and never where one does. */
  unsandboxed: boolean
  /** Paths they may see although they look like secrets; the other secrets in the workspace are hidden from them. */
  allowedSecrets: readonly string[]
}

/** A command to run inside the sandbox. `argv` is started as it is; there is no shell unless argv names one. */
export interface Command extends Partial<CommandSettings> {
  argv: readonly [string, ...string[]]
  root: string
  cwd?: string
  access: WorkspaceAccess
  /** Which parts of the workspace it sees, and which of them it may change; all unless it says so. */
  bounds?: Pick<Bounds, 'read_paths' | 'write_paths'>
  /** Whom a person could let it reach beyond a list. */
  networkMost?: NetworkPolicy
  /** What carries a list, where it is not this process's own. */
  proxy?: Proxy
  /** More folders: e.g. the git folder of a worktree, or an outside agent's own configuration. `from` is what is shown at a path instead of itself. */
  mounts?: readonly { path: string; access: 'read' | 'change' | 'empty'; from?: string }[]
  env?: Readonly<Record<string, string>>
  /** What it reads; null leaves its input open, for `onPipes`. */
  stdin?: string | null
  timeoutMs?: number
  memoryBytes?: number
  cpuSeconds?: number
  outputBytes?: number
  signal?: AbortSignal
  onOutput?: (chunk: string) => void
  /** Is given what it reads and prints, once it runs; see `openProcess`. */
  onPipes?: (pipes: Pipes) => void
  /** How much of what it prints is handed on while it runs; `outputBytes` unless it says so. */
  heardBytes?: number
  /** Sandboxes that were built ahead of need for commands like this. */
  prepared?: PreparedSandboxes
}

export interface CommandResult {
  exit_code: number | null
  /** Flooded: stopped because it printed more than anyone would read. */
  ended: 'exited' | 'timed_out' | 'stopped' | 'killed' | 'flooded'
  stdout: string
  stderr: string
  cut_bytes: number
  took_ms: number
  /** What became of the sandbox that waited for it, where one did. */
  prepared?: PreparedUse
  /** Whom it was not to reach and tried to, where a list says whom it may. */
  refused?: readonly RefusedHost[]
}

export type SandboxKind = 'bubblewrap' | 'namespaces'

/** What this machine can do. `none` carries the reason and the line that would install what is missing. */
export type SandboxState = { kind: SandboxKind } | { kind: 'none'; reason: string; fix: string }
