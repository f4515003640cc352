import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bounds } from '../domain/bounds.ts'
import { mountOfGlob } from '../domain/path-glob.ts'
import { Problem } from '../domain/problem.ts'
import { isInside } from './files/inside.ts'
import { kindOf } from './files/kind-of.ts'
import type { Mount } from './view.ts'

type PathBounds = Pick<Bounds, 'read_paths' | 'write_paths'>

/** More files than this are not looked at for other names of theirs outside. */
const MOST_FILES = 50_000

/**
 * A workspace as a role sees it: what it may not see is not there, and what it may not change is read-only. Each place it may change is a
 * mount of its own, so that nothing is moved or linked across its border.
 */
export function workspaceMounts(root: string, workspace: Pick<Mount, 'as' | 'from'>, bounds: PathBounds | undefined): Mount[] {
  const { read_paths: seen = [], write_paths: changed = [] } = bounds ?? {}
  const narrows = workspace.as === 'change' && workspace.from === undefined && changed.length > 0
  if (seen.length === 0 && !narrows) return [{ path: root, ...workspace }]
  const shownAs = narrows ? 'read' : workspace.as
  const mountAt = (path: string): Mount => ({
    path,
    as: shownAs,
    ...(workspace.from !== undefined && { from: join(workspace.from, path.slice(root.length)) }),
  })
  const whole: Mount[] = seen.length === 0 ? [mountAt(root)] : [{ path: root, as: 'sealed' }, ...placesOf(root, seen, false).map(mountAt)]
  if (!narrows) return whole
  const places = placesOf(root, changed, true).filter((place) => whole.some(({ path, as }) => as !== 'sealed' && isInside(path, place)))
  return [...whole, ...places.map((path) => ({ path, as: 'change' as const })), ...places.flatMap((place) => sharedFiles(place, places))]
}

/** Where a command may change something of its workspace; null for all of it. */
export function changeablePlaces(mounts: readonly Mount[], root: string): string[] | null {
  if (mounts.some(({ path, as }) => path === root && as !== 'read' && as !== 'sealed')) return null
  return mounts.filter(({ as }) => as === 'change').map(({ path }) => path)
}

/** The places that lie within each of some lists, as they are there now. `make` makes folders that are not there: they could not be mounted. */
function placesOf(root: string, lists: Bounds['read_paths'], make: boolean): string[] {
  const [first = [], ...others] = lists.map((globs) => globs.flatMap((glob) => placeOf(root, glob, make)))
  const common = others.reduce((held, list) => held.flatMap((one) => list.flatMap((other) => deeper(one, other))), first)
  return [...new Set(common)].filter((place) => !common.some((other) => other !== place && isInside(other, place)))
}

function deeper(one: string, other: string): string[] {
  if (isInside(one, other)) return [other]
  return isInside(other, one) ? [one] : []
}

/** The real place of a glob; none where it is not there, or a link is on the way, which would lead elsewhere. */
function placeOf(root: string, glob: string, make: boolean): string[] {
  const mount = mountOfGlob(glob)
  if (mount === null) throw new Problem('denied', `a command cannot be held to ${glob}; only whole folders such as docs/** can be mounted`)
  const names = ('folder' in mount ? mount.folder : mount.path).split('/')
  let path = root
  for (const [at, name] of names.entries()) {
    path = join(path, name)
    const isLast = at === names.length - 1
    if (make && 'folder' in mount && kindOf(path) === 'none') makeFolder(path)
    const kind = kindOf(path)
    if (kind !== 'folder' && !(isLast && kind === 'file' && 'path' in mount)) return []
  }
  return lstatSync(path).isFile() || lstatSync(path).isDirectory() ? [path] : []
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch {
    return // a command may not make it either
  }
}

/** Files that have another name outside of what may be changed: through this one that other would be changed. */
function sharedFiles(place: string, places: readonly string[]): Mount[] {
  const names = new Map<string, { paths: string[]; links: number }>()
  let looked = 0
  const look = (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    looked += 1
    if (looked > MOST_FILES)
      throw new Problem(
        'too_large',
        `${place} holds more than ${MOST_FILES} files; a command that may change it alone cannot be held to it`,
      )
    if (stat?.isDirectory() === true) for (const name of readdirSync(path)) look(join(path, name))
    if (stat?.isFile() !== true || stat.nlink < 2) return
    const key = `${stat.dev} ${stat.ino}`
    const known = names.get(key) ?? { paths: [], links: stat.nlink }
    names.set(key, { ...known, paths: [...known.paths, path] })
  }
  for (const other of places) look(other)
  const shared = [...names.values()].filter(({ paths, links }) => paths.length < links)
  return shared.flatMap(({ paths }) => paths.filter((path) => isInside(place, path)).map((path) => ({ path, as: 'read' as const })))
}
