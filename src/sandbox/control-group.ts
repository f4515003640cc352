import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandLimits } from './process/limits.ts'

const PREFIX = 'troupe-'
const leftBehind = new Set<string>()
let made = 0

/**
 * Root's processes are exempt from the limit on their number, so for root those of one command are counted together in a control
 * group: who writes 0 to the open file at its door is in it. Where none can be made, as in most containers, a fork bomb of root's
 * ends only with the timeout.
 */
export function controlGroup(limits: CommandLimits) {
  const parent = process.getuid?.() === 0 ? ownGroup() : null
  const folder = parent === null ? null : makeGroup(parent, limits)
  if (folder === null) return { door: null, discard: () => undefined }
  const door = openSync(join(folder, 'cgroup.procs'), 'w')
  const discard = () => {
    closeSync(door)
    removeGroup(folder)
  }
  return { door, discard }
}

/** The folder of this process's own group that can count processes: in a hierarchy of its own, or in the unified one. */
function ownGroup(): string | null {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
  const folders = lines.flatMap((line) => {
    const [, controllers = '', path = ''] = line.split(':')
    if (controllers === 'pids') return [join('/sys/fs/cgroup/pids', path)]
    return line.startsWith('0::') ? [join('/sys/fs/cgroup', path)] : []
  })
  return folders.find((folder) => existsSync(join(folder, 'cgroup.procs'))) ?? null
}

function makeGroup(parent: string, limits: CommandLimits): string | null {
  if (made === 0) removeAbandoned(parent)
  leftBehind.forEach(removeGroup)
  made += 1
  const folder = join(parent, `${PREFIX}${process.pid}-${made}`)
  try {
    mkdirSync(folder)
  } catch {
    return null // a container's view of the groups is often read-only
  }
  const values = { 'pids.max': limits.processes, 'memory.max': limits.memoryBytes }
  const known = Object.entries(values).filter(([name]) => existsSync(join(folder, name)))
  for (const [name, value] of known) writeFileSync(join(folder, name), String(value))
  if (known.length > 0) return folder
  removeGroup(folder)
  return null
}

/** A process that was killed left its groups behind, empty. */
function removeAbandoned(parent: string): void {
  const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX))
  const abandoned = names.filter((name) => !existsSync(`/proc/${name.slice(PREFIX.length).split('-')[0]}`))
  for (const name of abandoned) removeGroup(join(parent, name))
}

function removeGroup(folder: string): void {
  try {
    rmdirSync(folder)
    leftBehind.delete(folder)
  } catch {
    leftBehind.add(folder) // its last process is still being taken down; the next command tries again
  }
}
