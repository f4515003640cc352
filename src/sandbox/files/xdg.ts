import { homedir } from 'node:os'
import { join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** Where everything of ours is on this machine: in TROUPE_HOME all of it, else by the XDG convention. */
export function ownFolders(env: Env): { home: string; config: string; cache: string; jobs: string } {
  const set = env['TROUPE_HOME']
  const home = set || join(xdgFolder(env, 'XDG_DATA_HOME', '.local/share'), 'troupe')
  const config = set || join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'troupe')
  const cache = set ? join(set, 'cache') : join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'troupe')
  return { home, config, cache, jobs: join(home, 'jobs') }
}

/** A folder of the user's by the XDG convention, which says that a relative path in the variable is to be ignored. */
export function xdgFolder(env: Env, name: `XDG_${string}_HOME`, usual: string): string {
  const set = env[name]
  return set?.startsWith('/') ? set : join(env['HOME'] || homedir(), usual)
}
