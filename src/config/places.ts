import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { xdgFolder } from '../sandbox/xdg.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where Troupe keeps its things on this machine, each with what lies there. */
export const placeHolds = {
  home: 'the store, the token and everything else that must outlive a process',
  jobs: 'the workspace, the history and the attachments of each job that names no folder of its own',
  user_config: 'your settings',
  user_roles: 'your roles',
  user_workflows: 'your workflows',
  project_config: 'the settings of this project',
  project: 'all of this project that is Troupe’s: settings, roles, workflows, the worktrees of its board',
  cache: 'compiled code, and what was found out about this machine; can be deleted at any time',
  sandbox_memory: 'which sandbox works here',
  temporary: 'demo projects and what a command needs for a moment; every name begins with `troupe-`',
} as const

export type Places = Record<keyof typeof placeHolds, string>

/** The places by the XDG convention, unless TROUPE_HOME says otherwise. */
export function placesFor(env: Environment, cwd: string): Places {
  const config = join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'troupe')
  const cache = join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'troupe')
  const project = join(cwd, '.troupe')
  const home = env['TROUPE_HOME'] ? resolve(cwd, env['TROUPE_HOME']) : join(xdgFolder(env, 'XDG_DATA_HOME', '.local/share'), 'troupe')
  return {
    home,
    jobs: env['TROUPE_JOBS_DIR'] || `${home}-jobs`,
    user_config: join(config, 'config.yaml'),
    user_roles: join(config, 'roles'),
    user_workflows: join(config, 'workflows'),
    project_config: join(project, 'config.yaml'),
    project,
    cache,
    sandbox_memory: join(cache, 'sandbox.json'),
    temporary: env['TMPDIR'] || tmpdir(),
  }
}
