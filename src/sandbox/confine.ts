import { bubblewrapLaunch } from './bubblewrap.ts'
import { type Launch, filter } from './launch.ts'
import type { CommandLimits } from './process/limits.ts'
import { launcherEnvironment } from './process/program.ts'
import { type ProcessOptions, runProcess } from './process/run-process.ts'
import { namespacesLaunch } from './namespaces.ts'
import type { SandboxKind } from './sandbox.ts'
import type { View } from './view.ts'

/** The process that shows a command exactly one view of this machine. */
export function confine(kind: SandboxKind, view: View, argv: readonly string[], limits: CommandLimits): Launch {
  return launchers[kind](view, argv, limits)
}

const launchers: Record<SandboxKind, (view: View, argv: readonly string[], limits: CommandLimits) => Launch> = {
  bubblewrap: bubblewrapLaunch,
  namespaces: namespacesLaunch,
}

/** Starts what was launched, and nothing in it before `onReady` was told. */
export function start(launch: Launch, options: Omit<ProcessOptions, 'env' | 'feeds' | 'open'>, group: number | null = null) {
  const { argv, feed } = launch
  return runProcess(argv, { ...options, env: launcherEnvironment, feeds: [feed, filter ?? ''], open: [group] })
}
