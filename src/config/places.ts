import { realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { ownFolders } from '../sandbox/files/xdg.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where Troupe keeps its things on this machine, each with what is there. */
export const placeHolds = {
  home: 'the store, the token and everything else that must outlive a process',
  jobs: 'the workspace, the history and the attachments of each job that names no folder of its own',
  user_config: 'your settings',
  user_roles: 'your roles',
  user_workflows: 'your workflows',
  user_skills: 'your skills, beside ~/.agents/skills',
  user_instructions: 'what every agent of yours is told, in every project',
  project_config: 'the settings of this project',
  project: 'all of this project that is Troupe’s: settings, roles, workflows, the worktrees of its board',
  cache: 'compiled code, and what was found out about this machine; can be deleted at any time',
  sandbox_memory: 'which sandbox works here',
  temporary: 'demo projects and short-lived files of commands; every name starts with `troupe-`',
} as const

export type Places = Record<keyof typeof placeHolds, string>

/** The places by the XDG convention, unless TROUPE_HOME says otherwise: then all of ours lie in that folder. */
export function placesFor(env: Environment, cwd: string): Places {
  if (env['TROUPE_HOME']) refuseUnfitHome(env['TROUPE_HOME'])
  const { home, config, cache, jobs } = ownFolders(env)
  const project = join(cwd, '.troupe')
  return {
    home,
    jobs: env['TROUPE_JOBS_DIR'] || jobs,
    user_config: join(config, 'config.yaml'),
    user_roles: join(config, 'roles'),
    user_workflows: join(config, 'workflows'),
    user_skills: join(config, 'skills'),
    user_instructions: join(config, 'AGENTS.md'),
    project_config: join(project, 'config.yaml'),
    project,
    cache,
    sandbox_memory: join(cache, 'sandbox.json'),
    temporary: env['TMPDIR'] || tmpdir(),
  }
}

/** A relative one would be another home in every folder; one that cannot hold a folder would fail far from here, or never end. */
function refuseUnfitHome(home: string): void {
  const refused = (why: string) =>
    new Problem('bad_input', `TROUPE_HOME is ${JSON.stringify(home)}, ${why}; export TROUPE_HOME=… to a folder you own`)
  if (!isAbsolute(home)) throw refused('a relative path')
  const there = nearestThere(home)
  if (!statSync(there).isDirectory()) throw refused(there === home ? 'which is not a folder' : `but ${there} is not a folder`)
  if (/^\/(proc|sys|dev)(\/|$)/.test(realpathSync.native(there))) throw refused('where nothing can be kept')
}

function nearestThere(path: string): string {
  try {
    return realpathSync.native(path) && path
  } catch {
    return path === dirname(path) ? path : nearestThere(dirname(path))
  }
}
