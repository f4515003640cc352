import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type ConfineProgram, confineProgram } from './confine-program.ts'
import { isInside } from './files/inside.ts'
import { type Launch, SHARED_BYTES, emptyBytes, filter, onceTold, sandboxIds } from './launch.ts'
import type { CommandLimits } from './process/limits.ts'
import { type MountedAt, flagsAt, mountTable } from './mount-table.ts'
import { scratchPlace } from './overlay.ts'
import { findProgram } from './process/program.ts'
import { shellWord } from './process/shell-word.ts'
import type { Mount, View } from './view.ts'

/** Folders that are built anew, so that what was mounted in them is covered. */
const rebuilt = ['/proc', '/sys', '/dev']

/** Where the program lies in the sandbox that cannot be started from its own place. */
const COPY = '/dev/.confine'

/** The same view as bubblewrap's, built by a shell script out of util-linux alone. */
export function unshareLaunch(view: View, argv: readonly string[], limits: CommandLimits, program = ownProgram()): Launch {
  const [unshare, setpriv] = [findProgram('unshare') ?? 'unshare', findProgram('setpriv') ?? 'setpriv']
  const { uid, gid } = sandboxIds()
  const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', ...(view.network ? [] : ['--net'])]
  const life = ['--fork', '--kill-child', '--propagation', 'private']
  // The last step leaves the namespace that owns the mounts: without rights over it nothing can be unmounted or remounted.
  const unprivileged = [unshare, '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', setpriv, '--no-new-privs', '--']
  const filtered = program === null ? [] : [program.isExecutable ? '/proc/self/fd/7' : COPY, '4']
  const start = ['sh', '-c', 'eval "$(cat <&3)"; exec 3<&-; exec "$@"', 'sh', ...filtered, ...onceTold(argv, limits)]
  const built = ['sh', '-c', script(view, program?.isExecutable === false), 'sh', ...unprivileged, ...start]
  return {
    ...(program !== null && { program: program.descriptor }),
    argv: [setpriv, '--pdeathsig', 'KILL', unshare, ...namespaces, ...life, '--', ...built],
    feed: exports(view.env),
  }
}

function ownProgram(): ConfineProgram | null {
  return filter === null ? null : confineProgram(process.arch)
}

/** The shell stays as the first process of its namespace: a command in that place would not die of its own signals. */
function script(view: View, copiesProgram: boolean): string {
  const table = mountTable()
  const build = [
    ...newRoot(scratchPlace(view)),
    'mount -t proc -o nosuid,nodev,noexec proc "$n/proc"',
    ...deviceFolder(),
    ...(copiesProgram ? [`cat <&7 >"$n${COPY}" && chmod 755 "$n${COPY}"`] : []),
    'mount -t tmpfs -o size=64k,mode=755 tmpfs "$n/sys"',
    ...writableMounts(table, view).map((path) => remount(path, ['ro', ...flagsAt(table, path)])),
    ...view.mounts.flatMap((mount) => mountLines(mount, table, view.env)),
    'cd "$n" && mkdir dev/.old && pivot_root . dev/.old && cd / && umount -l /dev/.old && rmdir /dev/.old',
    `cd ${shellWord(view.cwd)}`,
  ]
  const loopback = view.network ? '' : 'ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :'
  return [`{ ${build.join(' &&\n')}; } || { echo "sandbox: it could not be built" >&2; exit 125; }`, loopback, '"$@"', 'exit $?'].join('\n')
}

function newRoot(scratch: string): string[] {
  return [
    'echo 1 >/proc/sys/user/max_user_namespaces', // the one below; a command that could make its own would be root in it
    `s=${shellWord(scratch)} n="$s/root"`,
    'mount -t tmpfs -o size=64k,mode=755 tmpfs "$s" && mkdir "$n" && mount --rbind / "$n"',
  ]
}

function deviceFolder(): string[] {
  return [
    `d="$n/dev" && mount -t tmpfs -o size=${SHARED_BYTES},mode=755,nosuid tmpfs "$d"`,
    // Read-only: what is written to a device arrives all the same, but root cannot change its mode and times.
    '{ for f in null zero full random urandom tty; do : >"$d/$f" && mount -o bind,ro "/dev/$f" "$d/$f" || exit 125; done; }',
    'mkdir "$d/shm" "$d/pts" && ln -s /proc/self/fd "$d/fd" && ln -s pts/ptmx "$d/ptmx"',
    '{ for f in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${f#*:}" "$d/${f%:*}"; done; }',
    'mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$d/pts"',
  ]
}

/** Everything mounted that no mount of the view will cover. */
function writableMounts(table: readonly MountedAt[], view: View): string[] {
  const covered = [...rebuilt, ...view.mounts.filter(({ as }) => as === 'empty').map(({ path }) => path)]
  return [...new Set(table.map(({ path }) => path))].filter((path) => !covered.some((folder) => isInside(folder, path)))
}

function mountLines({ path, as, from = path }: Mount, table: readonly MountedAt[], env: View['env']): string[] {
  const target = `"$n"${shellWord(path)}`
  const folder = `{ [ -d ${target} ] || mkdir -p ${target}; }`
  if (as === 'nothing') return [`mount --bind /dev/null ${target}`]
  if (as === 'empty') return [folder, `mount -t tmpfs -o size=${emptyBytes(path, env)},mode=755,nosuid,nodev tmpfs ${target}`]
  if (as === 'link') {
    const parent = `"$n"${shellWord(dirname(path))}`
    return [`{ [ -d ${parent} ] || mkdir -p ${parent}; }`, `ln -s ${shellWord(from)} ${target}`]
  }
  const place = statSync(from).isDirectory() ? folder : `{ [ -e ${target} ] || : >${target}; }`
  const fixed = as === 'read' ? ['ro'] : []
  const within = table.filter((mounted) => mounted.path !== from && isInside(from, mounted.path))
  const options = ['rbind', 'nodev', ...fixed, ...flagsAt(table, from)].join()
  return [
    place,
    `mount -o ${options} ${shellWord(from)} ${target}`,
    ...within.map(({ path: at, flags }) => remount(path + at.slice(from.length), [...fixed, ...flags])),
  ]
}

/** Devices outside /dev, in a chroot say, are not to be used: root may open every disk by one. */
function remount(path: string, flags: readonly string[]): string {
  return `mount -o ${['remount', 'bind', 'nodev', ...flags].join()} "$n"${shellWord(path)}`
}

function exports(env: Readonly<Record<string, string>>): string {
  return ['unset LC_ALL', ...Object.entries(env).map(([name, value]) => `export ${name}=${shellWord(value)}`)].join('\n')
}
