import { join, resolve } from 'node:path'
import { xdgFolder } from '../sandbox/xdg.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where Troupe keeps its things on this machine. */
export interface Places {
  /** The store, the token and everything else that must outlive a process. */
  home: string
  user_config: string
  user_roles: string
  project_config: string
  /** What was found out about the sandbox; lost without harm. */
  sandbox_memory: string
}

/** The places by the XDG convention, unless TROUPE_HOME says otherwise. */
export function placesFor(env: Environment, cwd: string): Places {
  const config = join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'troupe')
  return {
    home: env['TROUPE_HOME'] ? resolve(cwd, env['TROUPE_HOME']) : join(xdgFolder(env, 'XDG_DATA_HOME', '.local/share'), 'troupe'),
    user_config: join(config, 'config.yaml'),
    user_roles: join(config, 'roles'),
    project_config: join(cwd, '.troupe', 'config.yaml'),
    sandbox_memory: join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'troupe', 'sandbox.json'),
  }
}
