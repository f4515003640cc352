import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isInside } from './inside.ts'
import { ownFolders, xdgFolder } from './xdg.ts'

/** Places that the environment does not name: a store that was configured, the directories of jobs. */
const named = { records: new Set<string>(), jobs: new Set<string>() }

/** Keeps a configured store from every command and file tool of this process; one on a server has no place here. */
export function hideStore(address: string): void {
  for (const file of storeFiles(address)) named.records.add(file)
}

/** The same for the directory of a job, whose records lie around its workspace. */
export function hideJob(directory: string): void {
  named.jobs.add(directory)
}

/** Every place where Troupe's own records, tokens and settings may lie: no command and no file tool ever sees them. */
export function storePaths(env: NodeJS.ProcessEnv = process.env): string[] {
  return [...recordPaths(env), ...jobPaths(env)]
}

/** Whether a file belongs to our own records. The workspace of a job is among them and is its agent's all the same. */
export function isOwnRecord(root: string, path: string): boolean {
  const folders = jobPaths(process.env).map(realOf)
  const isJob = folders.some((folder) => folder !== root && isInside(folder, root))
  // Jobs lie in our own folder, so that one does not count inside of their workspaces; a store that somebody put into one does.
  const records = recordPaths(process.env).map(realOf)
  if (records.some((record) => isInside(record, path) && !(isJob && record !== root && isInside(record, root)))) return true
  return folders.some((folder) => isInside(folder, path) && (folder === root || !isInside(folder, root)))
}

function recordPaths(env: NodeJS.ProcessEnv): string[] {
  const folders = [
    ...homes(env),
    join(xdgFolder(env, 'XDG_STATE_HOME', '.local/state'), 'troupe'),
    join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'troupe'),
    join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'troupe'), // our own compiled code: who writes here, runs as us
  ]
  return eachOnce([...folders, ...storeFiles(env.TROUPE_STORE ?? ''), ...named.records])
}

function jobPaths(env: NodeJS.ProcessEnv): string[] {
  const folders = [...homes(env).map((home) => join(home, 'jobs')), ...named.jobs, env.TROUPE_JOBS_DIR]
  return eachOnce(folders.flatMap((path) => (path ? [path] : [])))
}

/** Every call of every tool looks each of them up on the disk. */
function eachOnce(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => resolve(path)))]
}

function homes(env: NodeJS.ProcessEnv): string[] {
  return [ownFolders(env).home, join(xdgFolder(env, 'XDG_DATA_HOME', '.local/share'), 'troupe')]
}

/** SQLite reads its companions before the store itself: a journal that somebody else wrote would be carried out. */
function storeFiles(address: string): string[] {
  const file = address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : ''
  return file === '' ? [] : [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path
}
