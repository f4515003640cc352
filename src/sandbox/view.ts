import { existsSync, lstatSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { scrubbedEnvironment } from './process/environment.ts'
import { gitMounts, protectedFolder } from './git/mounts.ts'
import { isInside } from './files/inside.ts'
import { installedFor, ownPackages, projectOfWorktree } from './installed.ts'
import type { Command } from './sandbox.ts'
import { foundAround } from './look-around.ts'
import { changeablePlaces, workspaceMounts } from './role-mounts.ts'
import { secretsWithin } from './files/secrets-within.ts'
import { socketsBeyond } from './sockets.ts'
import { storePaths } from './files/store-paths.ts'
import { toolchainFolders } from './toolchains.ts'
import { words } from './process/word-list.ts'

/** One thing laid over the read-only file system. `empty` is a private scratch folder, `sealed` one in which nothing can be made, `nothing` an empty file, `link` a symbolic link. */
export interface Mount {
  path: string
  as: 'empty' | 'sealed' | 'nothing' | 'read' | 'change' | 'overlay' | 'link'
  /** Where the content comes from, when not from the same path; where a link leads. */
  from?: string
}

/** What a command sees of this machine: the file system read-only, with these mounts laid over it, parents first. */
export interface View {
  root: string
  cwd: string
  mounts: readonly Mount[]
  /** `proxy`: none but a listener on its own loopback, which is answered from outside. */
  network: 'off' | 'on' | 'proxy'
  env: Readonly<Record<string, string>>
}

/** Folders that hold other people's files, sockets or secrets. A socket is a way out even where the file system is read-only. */
const privateFolders = ['/tmp', '/var/tmp', '/run', '/var/run', '/home', '/root']

/** Readable by root alone, and a command of root's is root to the kernel. */
const rootOnly = words`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssh /etc/ssl/private
  /etc/letsencrypt /etc/wireguard /etc/kubernetes /etc/NetworkManager/system-connections /var/spool/cron
  /var/lib/docker /var/lib/containerd /var/lib/kubelet /var/lib/postgresql /var/lib/mysql /var/log
`

/** A command of root's may write these by its user id alone; one line in /proc/sys/kernel/core_pattern runs a program outside. */
const kernelSettings = words`
  /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi /proc/driver /proc/tty /proc/asound /proc/dynamic_debug
  /proc/mtrr /proc/latency_stats /proc/sched_debug
`

/** Where a user's keys lie, for the case that the workspace is the home folder or holds it. */
const keyFolders = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh', '.password-store', '.netrc']

/** The view a command's access asks for. `workspace` says how its root is brought in, `nested` which git folders are in it beside its own. */
export function commandView(command: Command, workspace: Pick<Mount, 'as' | 'from'>, nested: readonly string[] = []): View {
  const root = realFolder(command.root)
  const home = homedir()
  const project = projectOfWorktree(root)
  const ours = existing([...privateFolders, home]).filter((path) => path !== '/')
  const shown = project !== null && isShownAround(project.folder, root, ours) ? [project] : []
  const hidden = [...ours, ...shown.map(({ folder }) => folder)]
  refuseOddNames(command.env ?? {})
  const env = scrubbedEnvironment({ ...command.env, TMPDIR: '/tmp', HOME: hidden.includes(home) ? home : '/tmp' })
  const own = workspaceMounts(root, workspace, command.bounds)
  const places = changeablePlaces(own, root)
  const mayChange = ({ path }: Mount) => places === null || places.some((place) => isInside(place, path))
  if (workspace.as === 'change' && places === null) fillGaps(root)
  const within = [
    ...existing(keyFolders.map((name) => join(home, name))).filter((path) => isInside(root, path)),
    ...existing(storePaths()),
    ...(command.allowedSecrets === undefined ? [] : secretsWithin(root, command.allowedSecrets)),
  ].map(hide)
  const installed = project === null ? [] : installedFor(project, root, hidden)
  const mounts: Mount[] = [
    ...(workspace.as === 'change' ? pinned(root, within).filter(mayChange) : []),
    ...hidden.map((path) => ({ path, as: 'empty' as const })),
    ...toolchainFolders(env, hidden, root).map((path) => ({ path, as: 'read' as const })),
    ...(command.network === 'on' ? nameServers(hidden) : []),
    ...shown.map(({ gitFolder }) => ({ path: gitFolder, as: 'read' as const })),
    ...installed,
    ...own,
    ...channelsBeyond(root).flatMap((path) => [path, ...shownAgain(path, installed)].map(cover)),
    ...(command.mounts ?? []).map(asMount),
    ...(process.getuid?.() === 0 ? againstRoot([root, ...(env.PATH ?? '').split(':'), dirname(process.execPath)]) : []),
    ...within,
    ...saidToTroupe(root),
  ]
  const changes = workspace.as === 'change' && workspace.from === undefined // a copy is thrown away with all that is in it
  if (changes) mounts.push(...[...gitMounts(root), ...nested.flatMap(protectedFolder)].filter(mayChange))
  for (const { path, access } of command.mounts ?? []) {
    if (access === 'change') mounts.push(...gitMounts(realFolder(path)))
  }
  const links = project === null ? [] : ownPackages(project, root, installed)
  return {
    root,
    cwd: workingFolder(root, command.cwd),
    mounts: parentsFirst([
      ...mounts.filter((mount) => isSeen(mount.path, root, own) && isNeeded(mount, mounts)),
      ...links.filter(({ path }) => isFree(path, mounts)),
    ]),
    network: typeof command.network === 'object' ? 'proxy' : (command.network ?? 'off'),
    env,
  }
}

function asMount({ path, access, from }: NonNullable<Command['mounts']>[number]): Mount {
  return { path: realFolder(path), as: access, ...(from !== undefined && { from }) }
}

/** Whether a place in the workspace is there for a command at all: what is not cannot be covered. */
function isSeen(path: string, root: string, own: readonly Mount[]): boolean {
  return !isInside(root, path) || own.some((mount) => mount.path === path || (mount.as !== 'sealed' && isInside(mount.path, path)))
}

/** Whether a worktree is in a checkout that a command would read in its place, files that are in no commit included. */
function isShownAround(folder: string, root: string, hidden: readonly string[]): boolean {
  return folder !== '/' && isInside(folder, root) && !hidden.some((path) => isInside(path, folder))
}

/** The environment reaches the sandbox as text: a NUL in a value would end it and begin another word of the launcher's. */
function refuseOddNames(env: Readonly<Record<string, string>>): void {
  const odd = Object.entries(env).find(([name, value]) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0'))
  if (odd !== undefined)
    throw new Problem(
      'bad_input',
      `the environment variable ${JSON.stringify(odd[0])} cannot be set; names are letters, digits and _, values hold no NUL`,
    )
}

/** Without what a command needs: its workspace and its programs may lie in a folder of root's. */
function againstRoot(needed: readonly string[]): Mount[] {
  const closed = foundAround().closed.filter((path) => !needed.some((place) => isInside(path, place) || isInside(place, path)))
  const hidden = [...new Set([...existing(rootOnly), ...closed])]
  const outermost = hidden.filter((path) => !hidden.some((other) => other !== path && isInside(other, path)))
  return [...outermost.map(hide), ...existing(kernelSettings).map((path) => ({ path, as: 'read' as const }))]
}

/** Sockets by what the kernel lists, which is complete for names that were not changed since, and by looking for them and for pipes. */
function channelsBeyond(root: string): string[] {
  const looked = foundAround().channels.filter((path) => !isInside(root, path))
  return [...new Set([...socketsBeyond([root]), ...looked])]
}

/**
 * What a project says to Troupe: a command that could change it would lift what it is held to. Not a link in its place: it would
 * show whatever it names, and nothing is read through it.
 */
function saidToTroupe(root: string): Mount[] {
  const path = join(root, '.troupe')
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? [{ path, as: 'read' }] : []
}

/** A folder that merely holds something hidden could be moved with it, to where the next command sees it; a mount cannot be moved. */
function pinned(root: string, hidden: readonly Mount[]): Mount[] {
  const inside = hidden.filter(({ path }) => isInside(root, path)).map(({ path }) => relative(root, path).split('/'))
  return inside.flatMap((names) =>
    names.slice(0, -1).map((_, at) => ({ path: join(root, ...names.slice(0, at + 1)), as: 'change' as const })),
  )
}

function hide(path: string): Mount {
  return { path, as: statSync(path).isDirectory() ? 'empty' : 'nothing' }
}

function cover(path: string): Mount {
  return { path, as: 'nothing' }
}

/** Where else a file is seen. */
function shownAgain(file: string, mounts: readonly Mount[]): string[] {
  return mounts.flatMap(({ path, from }) => (from !== undefined && isInside(from, file) ? [join(path, relative(from, file))] : []))
}

/** A file in a folder that is hidden as a whole is not there to be covered, unless something shows that part of the folder again. */
function isNeeded({ path, as }: Mount, mounts: readonly Mount[]): boolean {
  return as !== 'nothing' || around(path, mounts)?.as !== 'empty'
}

/** Whether a link can be made at a place: in a folder that is hidden, with nothing shown there. Anywhere else it would be made in one of the user's. */
function isFree(path: string, mounts: readonly Mount[]): boolean {
  return around(path, mounts)?.as === 'empty' && !mounts.some((other) => isInside(path, other.path))
}

/** The innermost mount that a path is in. */
function around(path: string, mounts: readonly Mount[]): Mount | undefined {
  const holders = mounts.filter((other) => other.path !== path && isInside(other.path, path))
  return holders.toSorted((a, b) => a.path.length - b.path.length).at(-1)
}

/** A mount covers what was mounted beneath it before, so a folder comes before what it holds; of two on one path the later wins. */
function parentsFirst(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]))
  return [...last.values()].toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
}

function realFolder(path: string): string {
  if (!isAbsolute(path) || !existsSync(path)) {
    throw new Problem('not_found', `${path} cannot be shown to a command; it must be an absolute path of something that exists`)
  }
  const real = realpathSync.native(path)
  if (real === '/') throw new Problem('bad_input', 'the whole file system cannot be a workspace; name a folder inside it')
  return real
}

/** Where a command starts: inside the workspace, in a folder that is there. */
export function workingFolder(root: string, cwd = '.'): string {
  const folder = resolve(root, cwd)
  if (!isInside(root, folder)) throw new Problem('denied', `a command cannot start in ${cwd}; it must start inside the workspace ${root}`)
  if (!existsSync(folder))
    throw new Problem('not_found', `a command cannot start in ${cwd}; there is no such folder in the workspace ${root}`)
  return folder
}

/** What is not there cannot be covered: a command could put a journal beside a store in its workspace, for SQLite to carry out. */
function fillGaps(root: string): void {
  const companions = storePaths().filter((path) => isInside(root, path) && existsSync(path.replace(/-(wal|shm|journal)$/, '')))
  for (const path of companions) if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: 0o600 })
}

/** The real path of everything that is there; links are followed, so that what they name is covered and not the link. */
function existing(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => (existsSync(path) ? [realpathSync.native(path)] : [])))]
}

/** The list of name servers is often a link into a hidden folder. */
function nameServers(hidden: readonly string[]): Mount[] {
  return existing(['/etc/resolv.conf']).flatMap((path) =>
    hidden.some((folder) => isInside(folder, path)) ? [{ path, as: 'read' as const }] : [],
  )
}
