import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PROXY_PORT } from '../network/proxy.ts'
import { confineProgram } from './confine-program.ts'
import { isInside } from './files/inside.ts'
import { type Launch, type Order, SCRATCH_BYTES, SHARED_BYTES, emptyBytes, sandboxIds } from './launch.ts'
import type { CommandLimits } from './process/limits.ts'
import { type MountedAt, flagsAt, mountTable } from './mount-table.ts'
import { scratchPlace } from './overlay.ts'
import type { Mount, View } from './view.ts'

/** Folders that are built again, so that what was mounted in them is covered. */
const rebuilt = ['/proc', '/sys', '/dev']

/** What the kernel calls the namespaces a command gets of its own. */
const own = { mount: 0x2_0000, uts: 0x400_0000, ipc: 0x800_0000, user: 0x1000_0000, pid: 0x2000_0000, net: 0x4000_0000 }

/** The kernel's numbers for how something is mounted. */
// oxfmt-ignore
const flagBits: Readonly<Record<string, number>> = {
  ro: 1, nosuid: 2, nodev: 4, noexec: 8, remount: 32, noatime: 1024, nodiratime: 2048, bind: 4096, rec: 16_384, private: 1 << 18, relatime: 1 << 21,
}

/** The kernel's numbers for what a process may use up. */
const resources = { cpu: 0, data: 2, core: 4, processes: 6 }

/** One step of a plan: what to do, and with what. */
type Step = readonly string[]

/** The same view as bubblewrap's, built by a small program of ours that follows a plan. */
export function namespacesLaunch(view: View, limits: CommandLimits, program = confineProgram(process.arch)): Launch {
  return { argv: [program], feed: asWords(sandboxPlan(view, limits)), program: null, listens: view.network === 'proxy', write: orderWords }
}

/** What is left to do inside a sandbox that something else has built: as arguments of the same program. */
export function waitingSteps(view: View, limits: CommandLimits): string[] {
  return waiting(view, limits).flat()
}

function waiting({ network }: View, limits: CommandLimits): Step[] {
  return [['group'], ...limitSteps(limits), ...(network === 'proxy' ? [['listen', String(PROXY_PORT)]] : []), ['order']]
}

/** An order as the program reads it: the number of words is told, so that one that was cut off runs nothing. */
export function orderWords({ argv, cwd, env }: Order): string {
  const variables = Object.entries(env).map(([name, value]) => ['set', `${name}=${value}`])
  return asWords([['enter', cwd], ...variables, ['run', String(argv.length), ...argv]])
}

function asWords(steps: readonly Step[]): string {
  return steps
    .flat()
    .map((word) => `${word}\0`)
    .join('')
}

/** What `native/confine.c` is to do. */
function sandboxPlan(view: View, limits: CommandLimits): Step[] {
  const table = mountTable()
  const scratch = realpathSync(scratchPlace(view)) // some systems have links there
  const root = `${scratch}/root`
  const { uid, gid } = sandboxIds()
  const separated = Object.entries(own).reduce((all, [name, bit]) => (name === 'net' && view.network === 'on' ? all : all + bit), 0)
  return [
    ['separate', String(separated)],
    bind('none', '/', ['rec', 'private']),
    ['write', '/proc/sys/user/max_user_namespaces', '1'], // the one of the command; with one of its own it would be root in it
    mount('tmpfs', scratch, [], 'size=64k,mode=755'),
    ...layer(view, scratch),
    ['folder', root],
    bind('/', root, ['bind', 'rec']),
    mount('tmpfs', root + scratch, ['ro', 'nosuid', 'nodev'], 'size=4k,mode=755'), // what was built there is not for the command
    mount('proc', `${root}/proc`, ['nosuid', 'nodev', 'noexec']),
    ...deviceFolder(`${root}/dev`, table),
    mount('tmpfs', `${root}/sys`, [], 'size=64k,mode=755'),
    ...writableMounts(table, view).map((path) => remount(root + path, ['ro', 'nodev', ...flagsAt(table, path)])),
    ...view.mounts.flatMap((each) => heldSteps(root, each, table, view)),
    ...view.mounts.filter(({ as }) => as === 'sealed').map(({ path }) => remount(root + path, ['ro', 'nosuid', 'nodev'])),
    ['root', root],
    ...(view.network === 'on' ? [] : [['loopback']]),
    ['command', uid, gid],
    ['filter'],
    ...waiting(view, limits),
  ]
}

function limitSteps({ memoryBytes, cpuSeconds, processes }: CommandLimits): Step[] {
  return [limit('data', memoryBytes), limit('cpu', cpuSeconds), limit('core', 0), limit('processes', processes)]
}

function mount(type: string, target: string, flags: readonly string[], options = ''): Step {
  return ['mount', type, target, bits(flags), options]
}

function bind(from: string, target: string, flags: readonly string[]): Step {
  return ['bind', from, target, bits(flags)]
}

function remount(target: string, flags: readonly string[]): Step {
  return bind('none', target, ['remount', 'bind', ...flags])
}

function bits(flags: readonly string[]): string {
  return String(flags.reduce((all, flag) => all | (flagBits[flag] ?? 0), 0))
}

function limit(resource: keyof typeof resources, most: number): Step {
  return ['limit', String(resources[resource]), String(Math.floor(most))]
}

/** A layer over the workspace that is gone with the command. The lower folder is named by `.`: a colon or a comma would be read as syntax. */
function layer({ root, mounts }: View, scratch: string): Step[] {
  if (!mounts.some(({ as }) => as === 'overlay')) return []
  const place = `${scratch}/layer`
  return [
    ['folder', place],
    mount('tmpfs', place, ['nosuid', 'nodev'], `size=${SCRATCH_BYTES},mode=755`),
    ['folder', `${place}/upper`],
    ['folder', `${place}/work`],
    ['enter', root],
    mount('overlay', root, ['nodev'], `userxattr,lowerdir=.,upperdir=${place}/upper,workdir=${place}/work`),
    ['enter', '/'],
  ]
}

function deviceFolder(folder: string, table: readonly MountedAt[]): Step[] {
  const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].flatMap((name) => [
    ['file', `${folder}/${name}`],
    bind(`/dev/${name}`, `${folder}/${name}`, ['bind']),
    // Read-only: what is written to a device arrives all the same, but root cannot change its mode and times.
    remount(`${folder}/${name}`, ['ro', ...flagsAt(table, `/dev/${name}`).filter((flag) => flag !== 'nodev')]),
  ])
  const links = { fd: '/proc/self/fd', ptmx: 'pts/ptmx', stdin: '/proc/self/fd/0', stdout: '/proc/self/fd/1', stderr: '/proc/self/fd/2' }
  return [
    mount('tmpfs', folder, ['nosuid'], `size=${SHARED_BYTES},mode=755`),
    ...devices,
    ['folder', `${folder}/shm`],
    ['folder', `${folder}/pts`],
    ...Object.entries(links).map(([name, to]) => ['link', to, `${folder}/${name}`]),
    mount('devpts', `${folder}/pts`, ['nosuid', 'noexec'], 'newinstance,ptmxmode=0666,mode=620'),
  ]
}

/** Everything mounted that no mount of the view will cover. */
function writableMounts(table: readonly MountedAt[], view: View): string[] {
  const covered = [...rebuilt, ...emptied(view.mounts)]
  return [...new Set(table.map(({ path }) => path))].filter((path) => !covered.some((folder) => isInside(folder, path)))
}

function emptied(mounts: View['mounts']): string[] {
  return mounts.filter(({ as }) => as === 'empty' || as === 'sealed').map(({ path }) => path)
}

/** A command that runs in the same workspace may swap a folder of it for a link meanwhile: no link is followed there, neither from nor to. */
function heldSteps(root: string, each: Mount, table: readonly MountedAt[], view: View): Step[] {
  const steps = mountSteps(root, each, table, view)
  if (!isInside(view.root, each.path)) return steps
  return steps.flatMap((step) => (step[0] === 'bind' || step[0] === 'mount' ? [['held'], step] : [step]))
}

function mountSteps(
  root: string,
  { path, as, from = path }: Mount,
  table: readonly MountedAt[],
  { env, mounts, root: workspace }: View,
): Step[] {
  const target = root + path
  if (as === 'nothing') return [bind('/dev/null', target, ['bind'])]
  if (as === 'empty' || as === 'sealed')
    return [['folder', target], mount('tmpfs', target, ['nosuid', 'nodev'], `size=${emptyBytes(path, env)},mode=755`)]
  if (as === 'link') {
    return [
      ['folder', root + dirname(path)],
      ['link', from, target],
    ]
  }
  const fixed = as === 'read' ? ['ro'] : []
  const within = table.filter((mounted) => mounted.path !== from && isInside(from, mounted.path))
  // Devices outside /dev, in a chroot say, are not to be used: root may open every disk by one.
  // Elsewhere it is there by itself. If it has gone by now the sandbox fails; made again it would lie in the workspace.
  const isWithin = path !== workspace && isInside(workspace, path) // which is mounted before it, into whatever was emptied around it
  const bare = [...rebuilt, ...emptied(mounts)].filter(
    (folder) => folder !== path && !(isWithin && folder !== workspace && isInside(folder, workspace)),
  )
  const isBare = bare.some((folder) => isInside(folder, path)) || (!isWithin && !existsSync(path))
  const place: Step[] = isBare ? [[statSync(from).isDirectory() ? 'folder' : 'file', target]] : []
  return [
    ...place,
    bind(from, target, ['bind', 'rec']),
    remount(target, ['nodev', ...fixed, ...flagsAt(table, from)]),
    ...within.map(({ path: at, flags }) => remount(target + at.slice(from.length), ['nodev', ...fixed, ...flags])),
  ]
}
