/** A process that builds a sandbox and becomes the command in it. `feeds` are what its descriptors 3, 4, … read. */
export interface Launch {
  argv: readonly [string, ...string[]]
  feeds: readonly string[]
}

/** How much a private scratch folder or a throw-away layer may hold; it lives in memory. */
export const SCRATCH_BYTES = 4 * 1024 ** 3

/** Who a command is inside. Root becomes an ordinary user there: tar and npm behave differently as a root without rights. */
export function sandboxIds(): { uid: string; gid: string } {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  return uid === 0 ? { uid: '1000', gid: '1000' } : { uid: String(uid), gid: String(gid) }
}
