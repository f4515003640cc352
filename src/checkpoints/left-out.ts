import { git } from '../sandbox/git/git.ts'
import { words } from '../sandbox/process/word-list.ts'
import type { Candidates } from './compare.ts'
import { countBelow } from './walk.ts'

/** A folder is left out only where this many new files were found at once, and at least this many in it. */
const MANY = 5_000

/** What package managers and builds make again; where git is not there to say what it ignores, these names do. */
const madeAnew = new Set(words`
  node_modules bower_components .venv venv site-packages __pycache__ .tox .nox .mypy_cache .pytest_cache .gradle .m2 target
  .next .nuxt .svelte-kit .turbo .parcel-cache .cache .yarn .pnpm-store Pods .terraform .dart_tool DerivedData
`)

/**
 * Folders that are too large to keep and can be made again: those that git ignores, or that are named like those of a package manager.
 * Keeping 50,000 files of dependencies would take longer than installing them.
 */
export async function findLeftOut(
  { root }: { root: string },
  { changed, fresh }: Pick<Candidates, 'changed' | 'fresh'>,
): Promise<string[]> {
  if (fresh <= MANY) return []
  const named = changed.filter((path) => madeAnew.has(path.slice(path.lastIndexOf('/') + 1)))
  const candidates = [...(await ignoredFolders(root)), ...named].toSorted((a, b) => a.length - b.length)
  const found: string[] = []
  for (const path of candidates) {
    if (found.some((folder) => path === folder || path.startsWith(`${folder}/`))) continue
    if (countBelow(root, path, MANY) > MANY) found.push(path)
  }
  return found
}

async function ignoredFolders(root: string): Promise<string[]> {
  const listed = await git(root, ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']).catch(() => null)
  if (listed?.exit_code !== 0) return [] // not a repository, or no git
  return listed.stdout.split('\0').flatMap((path) => (path.endsWith('/') && path !== './' ? [path.slice(0, -1)] : []))
}
