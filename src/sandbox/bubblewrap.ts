import { findProgram } from './program.ts'
import type { Limits } from './limits.ts'
import { type Launch, SHARED_BYTES, emptyBytes, onceTold, sandboxIds } from './launch.ts'
import type { Mount, View } from './view.ts'

/** The bubblewrap command line for a view. Every flag below answers an escape that was tried. */
export function bubblewrapLaunch(view: View, argv: readonly string[], limits: Limits): Launch {
  const { uid, gid } = sandboxIds()
  // Root keeps every capability without --cap-drop and could remount the file system writable.
  const rights = ['--unshare-user', '--disable-userns', '--unshare-all', '--cap-drop', 'ALL', '--uid', uid, '--gid', gid]
  const life = ['--die-with-parent', '--new-session', '--clearenv', '--args', '3', '--chdir', view.cwd]
  const machine = ['--ro-bind', '/', '/', '--dev', '/dev', ...sharedMemory, '--proc', '/proc']
  const mounts = view.mounts.flatMap((mount) => mountFlags(mount, view.env))
  const flags = [...rights, ...(view.network ? ['--share-net'] : []), ...life, ...machine, ...mounts]
  // Through a pipe and not as arguments: everyone on the machine may read a process's arguments.
  const env = Object.entries(view.env).flatMap(([name, value]) => ['--setenv', name, value])
  return {
    argv: [findProgram('bwrap') ?? 'bwrap', ...flags, '--', ...onceTold(argv, limits)],
    feed: env.map((word) => `${word}\0`).join(''),
  }
}

/** The device folder itself has no limit of its own, so nothing else can be written in it. */
const sharedMemory = ['--size', String(SHARED_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev']

function mountFlags({ path, as, from = path }: Mount, env: View['env']): string[] {
  if (as === 'empty') return ['--size', String(emptyBytes(path, env)), '--tmpfs', path]
  if (as === 'nothing') return ['--ro-bind', '/dev/null', path]
  if (as === 'link') return ['--symlink', from, path]
  return [as === 'read' ? '--ro-bind' : '--bind', from, path]
}
