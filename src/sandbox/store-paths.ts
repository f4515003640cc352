import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Every place where Troupe's own records, tokens and settings may lie: no command and no file tool ever sees them. */
export function storePaths(env: NodeJS.ProcessEnv = process.env): string[] {
  const home = homedir()
  const folders = [
    env.TROUPE_HOME,
    join(env.XDG_DATA_HOME ?? join(home, '.local/share'), 'troupe'),
    join(env.XDG_STATE_HOME ?? join(home, '.local/state'), 'troupe'),
    join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'troupe'),
    join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'troupe'), // our own compiled code: who writes here, runs as us
  ]
  const file = env.TROUPE_STORE?.startsWith('sqlite:') === true ? env.TROUPE_STORE.slice('sqlite:'.length) : undefined
  const files = file === undefined ? [] : [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]
  return [...folders, ...files].flatMap((path) => (path === undefined || path === '' ? [] : [resolve(path)]))
}
