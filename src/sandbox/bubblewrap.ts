import { findProgram } from './program.ts'
import { type Limits, limited } from './limits.ts'
import { type Launch, SCRATCH_BYTES, onceTold, sandboxIds } from './launch.ts'
import type { Mount, View } from './view.ts'

/** The bubblewrap command line for a view. Every flag below answers an escape that was tried. */
export function bubblewrapLaunch(view: View, argv: readonly string[], limits: Limits): Launch {
  const { uid, gid } = sandboxIds()
  // Root keeps every capability without --cap-drop and could remount the file system writable.
  const rights = ['--unshare-user', '--disable-userns', '--unshare-all', '--cap-drop', 'ALL', '--uid', uid, '--gid', gid]
  const life = ['--die-with-parent', '--new-session', '--clearenv', '--args', '3', '--chdir', view.cwd]
  const files = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...view.mounts.flatMap(mountFlags)]
  const flags = [...rights, ...(view.network ? ['--share-net'] : []), ...life, ...files]
  // Through a pipe and not as arguments: everyone on the machine may read a process's arguments.
  const env = Object.entries(view.env).flatMap(([name, value]) => ['--setenv', name, value])
  return {
    argv: [findProgram('bwrap') ?? 'bwrap', ...flags, '--', ...onceTold(limited(argv, limits))],
    feed: env.map((word) => `${word}\0`).join(''),
  }
}

function mountFlags({ path, as, from = path }: Mount): string[] {
  if (as === 'empty') return ['--size', String(SCRATCH_BYTES), '--tmpfs', path]
  if (as === 'nothing') return ['--ro-bind', '/dev/null', path]
  return [as === 'read' ? '--ro-bind' : '--bind', from, path]
}
