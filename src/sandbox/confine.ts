import { closeSync, openSync } from 'node:fs'
import { bubblewrapLaunch } from './bubblewrap.ts'
import { type Launch, filter } from './launch.ts'
import type { CommandLimits } from './process/limits.ts'
import { launcherEnvironment } from './process/program.ts'
import { type WaitingProcess, startWaiting } from './process/waiting-process.ts'
import { namespacesLaunch } from './namespaces.ts'
import type { SandboxKind } from './sandbox.ts'
import type { View } from './view.ts'

/** The process that builds a sandbox which shows a command exactly one view of this machine. */
export function confine(kind: SandboxKind, view: View, limits: CommandLimits): Launch {
  return launchers[kind](view, limits)
}

const launchers: Record<SandboxKind, (view: View, limits: CommandLimits) => Launch> = {
  bubblewrap: bubblewrapLaunch,
  namespaces: namespacesLaunch,
}

/** Starts what builds a sandbox. Nothing runs in it before it has its order. */
export function buildSandbox(launch: Launch, group: number | null = null, stdin?: string | null): WaitingProcess {
  const program = launch.program === null ? null : openSync(launch.program, 'r')
  try {
    const feeds = [launch.feed, filter ?? '']
    const open = [group, program, ...(launch.listens ? ['ipc' as const] : [])]
    return startWaiting(launch.argv, { env: launcherEnvironment, feeds, open, ...(stdin !== undefined && { stdin }) })
  } finally {
    if (program !== null) closeSync(program)
  }
}
