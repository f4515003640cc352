import { totalmem } from 'node:os'
import { type CommandLimits, setLimits } from './process/limits.ts'
import { seccompFilter } from './seccomp.ts'

/**
 * A process that builds a sandbox and becomes the command in it. Descriptor 3 reads `feed`, 4 the filter, on 5 it says that it is ready,
 * 6 opens its control group.
 */
export interface Launch {
  argv: readonly [string, ...string[]]
  feed: string
}

/** What a command may ask of the kernel; nothing where the numbers of this architecture are not known. */
export const filter = seccompFilter(process.arch)

/**
 * The last step inside a sandbox: enters the control group that descriptor 6 opens, becomes the first to go where the machine runs
 * out of memory, takes its limits, says on descriptor 5 that every process above dies with its parent, and waits for leave. Were
 * Troupe killed while the sandbox is built, nobody would be told, and the command would run on without it.
 */
export function onceTold(argv: readonly string[], limits: CommandLimits): string[] {
  const script = `{ echo 0 >&6; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ${setLimits(limits)} && echo >&5 && read -r go <&5 || exit 125; exec 4<&- 5>&- 6>&-; exec "$@"`
  return ['/bin/sh', '-c', script, 'sh', ...argv]
}

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
