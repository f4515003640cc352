import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch } from './launch.ts'
import type { Limits } from './limits.ts'
import { shellWord } from './shell-word.ts'

/** A place in which all processes of one command are counted together. */
export interface ControlGroup {
  enter(launch: Launch): Launch
  discard(): void
}

const PREFIX = 'troupe-'
let made = 0

/**
 * Root's processes are exempt from the limit on their number, and memory limits hold for each process alone.
 * Where root may make control groups, both limits hold for the command as a whole; elsewhere this changes nothing.
 */
export function controlGroup(limits: Limits): ControlGroup {
  const folders = process.getuid?.() === 0 ? groupFolders().flatMap((parent) => makeGroup(parent, limits)) : []
  if (folders.length === 0) return { enter: (launch) => launch, discard: () => undefined }
  const entering = folders.map((folder) => `echo $$ >${shellWord(`${folder}/cgroup.procs`)}`).join('; ')
  return {
    enter: ({ argv, feed }) => ({ argv: ['/bin/sh', '-c', `${entering}; exec "$@"`, 'sh', ...argv], feed }),
    discard: () => folders.forEach(removeGroup),
  }
}

/** The folders of this process's own groups: one for each hierarchy that can count processes or memory. */
function groupFolders(): string[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
  const folders = lines.flatMap((line) => {
    const [, controllers = '', path = ''] = line.split(':')
    if (controllers === 'pids' || controllers === 'memory') return [join('/sys/fs/cgroup', controllers, path)]
    return line.startsWith('0::') ? [join('/sys/fs/cgroup', path)] : []
  })
  return folders.filter((folder) => existsSync(join(folder, 'cgroup.procs')))
}

function makeGroup(parent: string, limits: Limits): string[] {
  if (made === 0) removeAbandoned(parent)
  made += 1
  const folder = join(parent, `${PREFIX}${process.pid}-${made}`)
  try {
    mkdirSync(folder)
  } catch {
    return [] // a container's view of the groups is often read-only
  }
  const values = { 'pids.max': limits.processes, 'memory.max': limits.memoryBytes, 'memory.limit_in_bytes': limits.memoryBytes }
  const known = Object.entries(values).filter(([name]) => existsSync(join(folder, name)))
  for (const [name, value] of known) writeFileSync(join(folder, name), String(value))
  if (known.length > 0) return [folder]
  removeGroup(folder)
  return []
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
  } catch {
    // a last process is still being taken down; the group is removed as abandoned later
  }
}
