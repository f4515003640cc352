import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isInside } from './files/inside.ts'

/**
 * The sockets of other programs that have a place in the file system outside the given folders. Connecting to one needs no
 * write access to the file system, and what listens there (a container manager, a database) may do anything.
 */
export function socketsBeyond(folders: readonly string[]): string[] {
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
  const named = lines.flatMap((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? [])
  const real = new Set(named.flatMap((path) => realSocket(path) ?? []))
  return [...real].filter((path) => ![...folders, '/dev', '/proc', '/sys'].some((folder) => isInside(folder, path)))
}

function realSocket(path: string): string | null {
  try {
    return statSync(path).isSocket() ? realpathSync.native(path) : null
  } catch {
    return null // its program is gone, or it is out of our own reach too
  }
}
