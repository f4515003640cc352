import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { isInside } from './files/inside.ts'
import { findProgram, launcherEnvironment } from './process/program.ts'
import { confineProgram, hasConfineProgram } from './confine-program.ts'
import { type CommandLimits, setLimits } from './process/limits.ts'
import { shellWord } from './process/shell-word.ts'
import { type Launch, type Order, SHARED_BYTES, emptyBytes, filter, sandboxIds } from './launch.ts'
import { orderWords, waitingSteps } from './namespaces.ts'
import { overlayLaunch } from './overlay.ts'
import type { Mount, View } from './view.ts'

/** The bubblewrap command line for a view. Every flag below answers an escape that was tried. */
export function bubblewrapLaunch(view: View, limits: CommandLimits): Launch {
  const { uid, gid } = sandboxIds()
  // Root keeps every capability without --cap-drop and could remount the file system writable.
  const rights = ['--unshare-user', '--disable-userns', '--unshare-all', '--cap-drop', 'ALL', '--uid', uid, '--gid', gid]
  const life = ['--die-with-parent', '--new-session', '--clearenv', '--chdir', '/']
  const machine = ['--ro-bind', '/', '/', '--dev', '/dev', ...sharedMemory, '--proc', '/proc']
  const mounts = view.mounts.flatMap((mount) => mountFlags(mount, view))
  const flags = [
    ...rights,
    ...(view.network === 'on' ? ['--share-net'] : []),
    ...life,
    ...machine,
    ...mounts,
    ...view.mounts.filter(({ as }) => as === 'sealed').flatMap(({ path }) => ['--remount-ro', path]),
    ...(filter === null ? [] : ['--seccomp', '4']),
  ]
  const waiting = hasConfineProgram(process.arch) ? waitingProgram(view, limits) : waitingShell(limits)
  const [first = 'bwrap', ...others] = [...surrounded(), findProgram('bwrap') ?? 'bwrap', ...flags, '--', ...waiting.argv]
  const launch: Launch = { ...waiting, argv: [first, ...others], feed: '' }
  return view.mounts.some(({ as }) => as === 'overlay') ? overlayLaunch(view, launch) : launch
}

/** Our own program, which may lie where the command sees nothing: it is started by its descriptor. */
function waitingProgram(view: View, limits: CommandLimits): Omit<Launch, 'feed'> {
  const argv: Launch['argv'] = ['/proc/self/fd/7', ...waitingSteps(view, limits)]
  return { argv, program: confineProgram(process.arch), listens: view.network === 'proxy', write: orderWords }
}

/** The same for processors that the program does not exist for. */
function waitingShell(limits: CommandLimits): Omit<Launch, 'feed'> {
  const ready = `{ echo 0 >&6; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ${setLimits(limits)} && printf r >&5`
  const script = `n='\n'; ${ready} && IFS= read -r order <&5 && printf s >&5 || exit 125; exec 4<&- 5>&- 6>&-; eval "$order"`
  return { argv: ['/bin/sh', '-c', script], program: null, listens: false, write: shellOrder }
}

/** An order as one line for a shell, in which `n` is a line break. */
function shellOrder({ argv, cwd, env }: Order): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const words = ['env', '-i', ...variables, '/bin/sh', '-c', 'exec "$@"', 'sh', ...argv].map(inOneLine)
  return `cd -- ${inOneLine(cwd)} && exec ${words.join(' ')}\n`
}

function inOneLine(word: string): string {
  return shellWord(word).replaceAll('\n', `'"$n"'`)
}

/**
 * A process namespace around bubblewrap's own. The first process of that one has the rights of the command, which could have it forget
 * whom to end with; this one is out of its sight, and ends all of them. Devices are made read-only on the way: what is written to them
 * arrives all the same, but root cannot change their mode and times.
 */
function surrounded(): string[] {
  const [setpriv, unshare] = ['setpriv', 'unshare'].map(findProgram)
  if (!setpriv || !unshare || !surrounds(setpriv, unshare)) return []
  const script = 'mount -a -T "$1" || { echo "sandbox: devices cannot be made read-only" >&2; exit 125; }; shift; exec "$@"'
  return [setpriv, '--pdeathsig', 'KILL', unshare, ...namespaces, '--', 'sh', '-c', script, 'sh', deviceTable]
}

const namespaces = ['--user', '--map-root-user', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child']
let surrounding: boolean | undefined

/** Some machines allow namespaces to bubblewrap alone, and other programs of these names than those of util-linux know fewer flags. */
function surrounds(setpriv: string, unshare: string): boolean {
  surrounding ??=
    spawnSync(setpriv, ['--pdeathsig', 'KILL', unshare, ...namespaces, '--', 'true'], { env: launcherEnvironment }).status === 0
  return surrounding
}

/** The devices that bubblewrap gives to a command, as a table for `mount`: one process mounts them all. */
const deviceTable = join(import.meta.dirname, '../../native/devices.fstab')

/** The device folder itself has no limit of its own, so nothing else can be written in it. */
const sharedMemory = ['--size', String(SHARED_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev']

function mountFlags({ path, as, from = path }: Mount, { env, root }: View): string[] {
  // Bubblewrap makes the place of a mount that is not there. Bound to itself first, what has gone from a workspace is missed instead.
  const there = path !== root && isInside(root, path) ? ['--ro-bind', path, path] : []
  if (as === 'empty' || as === 'sealed') return [...there, '--size', String(emptyBytes(path, env)), '--tmpfs', path]
  if (as === 'nothing') return [...there, '--ro-bind', '/dev/null', path]
  if (as === 'link') return ['--symlink', from, path]
  return [as === 'read' ? '--ro-bind' : '--bind', from, path]
}
