import { bubblewrapLaunch } from './bubblewrap.ts'
import type { Launch } from './launch.ts'
import type { Limits } from './limits.ts'
import { overlayLaunch } from './overlay.ts'
import { unshareLaunch } from './unshare.ts'
import type { SandboxKind } from './sandbox.ts'
import type { View } from './view.ts'

/** The process that shows a command exactly one view of this machine. */
export function confine(kind: SandboxKind, view: View, argv: readonly string[], limits: Limits): Launch {
  const launch = launchers[kind](view, argv, limits)
  return view.mounts.some(({ as }) => as === 'overlay') ? overlayLaunch(view, launch) : launch
}

const launchers: Record<SandboxKind, (view: View, argv: readonly string[], limits: Limits) => Launch> = {
  bubblewrap: bubblewrapLaunch,
  unshare: unshareLaunch,
}
