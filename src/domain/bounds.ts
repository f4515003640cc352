import * as z from 'zod'
import { isWithin, narrowedPolicy, NetworkSetting, networkPolicy, settingOf } from './network/policy.ts'
import { coversGlob, fitsGlob, leadsToGlob, mountOfGlob } from './path-glob.ts'

/** Lists of globs, each of which must hold: one of every role above an agent, and its own. No list is no bound. */
const PathBounds = z.array(z.array(z.string())).default([])

/** How far the permissions of a run reach: whom it may speak to, and in which paths of its workspace it may read and change files. */
export type Bounds = z.infer<typeof Bounds>
export const Bounds = z.object({
  network: NetworkSetting.default('on'),
  write_paths: PathBounds,
  read_paths: PathBounds,
})

/** What a role file says about its reach. */
export interface StatedBounds {
  network: NetworkSetting
  write_paths: readonly string[] | null
  read_paths: readonly string[] | null
}

/** No bound beyond the permissions. */
export const unbounded: Bounds = { network: 'on', write_paths: [], read_paths: [] }

export function boundsOf({ network, write_paths, read_paths }: StatedBounds): Bounds {
  return { network: settingOf(networkPolicy(network)), write_paths: listOf(write_paths), read_paths: listOf(read_paths) }
}

/** What is within both. */
export function narrowedBounds(one: Bounds, other: Bounds): Bounds {
  return {
    network: settingOf(narrowedPolicy(networkPolicy(one.network), networkPolicy(other.network))),
    write_paths: distinct([...one.write_paths, ...other.write_paths]),
    read_paths: distinct([...one.read_paths, ...other.read_paths]),
  }
}

/** Whether bounds surely allow nothing that others do not. */
export function areWithin(bounds: Bounds, most: Bounds): boolean {
  const holdsAll = (own: Bounds['write_paths'], wanted: Bounds['write_paths']) =>
    wanted.every((list) => own.some((globs) => globs.every((glob) => list.some((wide) => coversGlob(wide, glob)))))
  return (
    isWithin(networkPolicy(bounds.network), networkPolicy(most.network)) &&
    holdsAll(bounds.write_paths, most.write_paths) &&
    holdsAll(bounds.read_paths, most.read_paths)
  )
}

/** Whether a path, relative to the workspace, is within every one of some lists of globs. */
export function isInPaths(path: string, lists: Bounds['read_paths']): boolean {
  return lists.every((globs) => globs.some((glob) => fitsGlob(glob, path)))
}

/** Whether a folder leads to something that does. */
export function leadsToPaths(path: string, lists: Bounds['read_paths']): boolean {
  return lists.every((globs) => globs.some((glob) => leadsToGlob(glob, path) || fitsGlob(glob, path)))
}

/** Whether mounts can hold commands to some lists of globs. */
export function canBeMounted(lists: Bounds['read_paths']): boolean {
  return lists.flat().every((glob) => mountOfGlob(glob) !== null)
}

function listOf(globs: readonly string[] | null): string[][] {
  return globs === null ? [] : [[...globs]]
}

function distinct(lists: readonly (readonly string[])[]): string[][] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), [...list]])).values()]
}
