import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { words } from './process/word-list.ts'

/** What a command could use of other programs and accounts, as it was last seen. */
interface Found {
  /** Sockets and named pipes: a way to other programs, also where the file system is read-only. */
  channels: readonly string[]
  /** What others than its owner may not read. For root nothing is closed, so a command of root's would read it. */
  closed: readonly string[]
}

/** Hidden as a whole or built again, or parts of the system in which nobody keeps such things. */
const leftOut = new Set(
  words`
  /proc /sys /dev /run /tmp /var/tmp /var/run /home /root /usr /bin /sbin /lib /lib32 /lib64 /libx32 /boot /nix /snap
  /var/lib/dpkg /var/lib/apt /var/cache/apt /usr/local/lib /usr/local/share /usr/local/include
`,
)

/** Folders with very many files, and none of these. */
const skipped = new Set(['node_modules', '.git'])

const MOST_ENTRIES = 10_000
const AT_A_TIME = 200
const OLD_MS = 30_000

let found: Found = { channels: [], closed: [] }
let lookedAt = -Infinity
let looking: Promise<void> | undefined

/** Looks at what of the machine is shown to commands: the first time before it returns, later behind its back. */
export async function lookAround(): Promise<void> {
  const isFirst = lookedAt === -Infinity
  if (performance.now() - lookedAt > OLD_MS)
    looking ??= look().finally(() => {
      looking = undefined
    })
  if (isFirst) await looking
}

/** What was found and still is as it was. */
export function foundAround(): Found {
  const channels = found.channels.filter((path) => isChannel(lstatOf(path)))
  return { channels, closed: found.closed.filter((path) => isClosed(lstatOf(path))) }
}

/** Level by level: what is deeper than the limit allows is less often meant for others. */
async function look(): Promise<void> {
  const isRoot = process.getuid?.() === 0
  const [channels, closed]: [string[], string[]] = [[], []]
  const folders = ['/', '/usr/local']
  let entries = 0
  for (let at = 0; at < folders.length && entries < MOST_ENTRIES; at += 1) {
    for (const entry of entriesOf(folders[at] ?? '')) {
      const path = join(entry.parentPath, entry.name)
      entries += 1
      if (leftOut.has(path) || skipped.has(entry.name)) continue
      if (entry.isSocket() || entry.isFIFO()) channels.push(path)
      else if (isRoot && isClosed(lstatOf(path))) closed.push(path)
      else if (entry.isDirectory()) folders.push(path)
    }
    if (at % AT_A_TIME === 0) await setImmediate() // the machine may be large, and others wait
  }
  found = { channels, closed }
  lookedAt = performance.now()
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // gone, or closed to us and so to a command
  }
}

type Stat = ReturnType<typeof lstatSync>

function lstatOf(path: string): Stat {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isChannel(stat: Stat): boolean {
  return stat?.isSocket() === true || stat?.isFIFO() === true
}

/** An empty file, a lock most often, has nothing to hide. */
function isClosed(stat: Stat): boolean {
  if (stat === undefined) return false
  const others = Number(stat.mode) & 0o7
  return stat.isDirectory() ? (others & 0o1) === 0 : stat.isFile() && stat.size !== 0 && (others & 0o4) === 0
}
