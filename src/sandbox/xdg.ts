import { homedir } from 'node:os'
import { join } from 'node:path'

/** A folder of the user's by the XDG convention, which says that a relative path in the variable is to be ignored. */
export function xdgFolder(env: Readonly<Record<string, string | undefined>>, name: `XDG_${string}_HOME`, usual: string): string {
  const set = env[name]
  return set?.startsWith('/') ? set : join(env['HOME'] || homedir(), usual)
}
