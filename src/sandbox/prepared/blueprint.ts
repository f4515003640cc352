import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { confine } from '../confine.ts'
import { isInside } from '../files/inside.ts'
import type { Launch } from '../launch.ts'
import { type CommandLimits, limitsOf } from '../process/limits.ts'
import type { Command, SandboxKind } from '../sandbox.ts'
import { type Mount, type View, commandView } from '../view.ts'

/** All that a sandbox is built from. Two of the same mark are the same sandbox. */
export interface Blueprint {
  view: View
  launch: Launch
  limits: CommandLimits
  mark: string
}

/** What would be built for a command now. `workspace` says how its root is brought in, `nested` which git folders are in it beside its own. */
export function drawBlueprint(
  kind: SandboxKind,
  command: Command,
  workspace: Pick<Mount, 'as' | 'from'>,
  nested: readonly string[],
): Blueprint {
  const view = commandView(command, workspace, nested)
  const limits = limitsOf(command)
  const launch = confine(kind, view, limits)
  const identities = [...placesIn(view)].map(([path, isFixed]) => identityOf(path, isFixed))
  return { view, launch, limits, mark: [launch.argv.join('\0'), launch.feed, ...identities].join('\n') }
}

/**
 * Everything a mount covers or comes from, and the folders around it that a command may have made. A mount stays on what it was laid
 * over: when that is taken away, the mount is gone with it, also in a sandbox that waits.
 */
function placesIn({ root, mounts }: View): Map<string, boolean> {
  const places = new Map([[root, false]])
  for (const { path, from = path, as } of mounts) {
    if (as !== 'link') places.set(from, as === 'read')
    for (let place = path; !places.has(place); place = dirname(place)) {
      places.set(place, as === 'read')
      if (!isInside(root, dirname(place))) break
    }
  }
  return places
}

/**
 * The same for the same file alone: its number is given away again once it is gone, the time it was made is not. A file that is fixed
 * could be taken away and come back by another of its names, which its last change tells; others change all the time.
 */
function identityOf(path: string, isFixed: boolean): string {
  try {
    const { dev, ino, mode, birthtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
    const isFile = (mode & 0o170000n) === 0o100000n
    return [dev, ino, mode, birthtimeNs, ...(isFixed && isFile ? [ctimeNs] : [])].join(' ')
  } catch {
    return 'none'
  }
}
