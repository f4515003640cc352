import { readFileSync } from 'node:fs'
import { isInside } from './files/inside.ts'

/** A line of the mount table: where, and the flags that a remount in a user namespace must repeat or be refused. */
export interface MountedAt {
  path: string
  flags: readonly string[]
}

const repeated = ['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime']

/** Everything that is mounted as this process sees it. */
export function mountTable(): MountedAt[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [, , , , path = '/', options = ''] = line.split(' ')
    return { path: unescaped(path), flags: options.split(',').filter((flag) => repeated.includes(flag)) }
  })
}

/** The flags of the mount a path is on. */
export function flagsAt(table: readonly MountedAt[], path: string): readonly string[] {
  const holders = table.filter((mounted) => isInside(mounted.path, path))
  return holders.toSorted((a, b) => a.path.length - b.path.length).at(-1)?.flags ?? []
}

/** The kernel writes blanks and backslashes of a path as octal numbers, byte by byte. */
function unescaped(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
