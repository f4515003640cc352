import { totalmem } from 'node:os'
import { seccompFilter } from './seccomp.ts'

/** The command that a sandbox is to become, and what depends on it alone. */
export interface Order {
  argv: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
}

/**
 * A process that builds a sandbox and waits in it for its order. Descriptor 3 reads `feed`, 4 the filter, on 5 it talks and takes its
 * order, 6 opens its control group, 7 is the program that waits where it was not found by a path, on 8
 * it hands out what listens on its loopback.
 */
export interface Launch {
  argv: readonly [string, ...string[]]
  feed: string
  program: string | null
  listens: boolean
  /** An order as this process reads it. */
  write(order: Order): string
}

/** What a command may ask of the kernel; nothing where the numbers of this architecture are not known. */
export const filter = seccompFilter(process.arch)

/** How much a throw-away layer may hold, and each folder a command is meant to write to. They live in memory, which all of them together must not fill. */
export const SCRATCH_BYTES = Math.min(4 * 1024 ** 3, Math.floor(totalmem() / 6))

/** How much the shared-memory folder may hold. */
export const SHARED_BYTES = Math.min(1024 ** 3, Math.floor(totalmem() / 16))

const COVER_BYTES = 1024 ** 2

/** How much an empty folder may hold: one that only covers something up needs no room. */
export function emptyBytes(path: string, { HOME, TMPDIR }: Readonly<Record<string, string>>): number {
  return [HOME, TMPDIR, '/var/tmp'].includes(path) ? SCRATCH_BYTES : COVER_BYTES
}

/** Who a command is inside. Root becomes an ordinary user there: tar and npm behave differently as a root without rights. */
export function sandboxIds(): { uid: string; gid: string } {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  return uid === 0 ? { uid: '1000', gid: '1000' } : { uid: String(uid), gid: String(gid) }
}
