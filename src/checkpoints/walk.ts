import { type Dirent, readdirSync } from 'node:fs'
import { systemCode } from '../domain/problem.ts'
import { pathOfText, textOfName } from '../sandbox/files/path-text.ts'
import { markOf, statOf } from './look.ts'

/** What is in a folder: the mark of each name. Null where we may not look. */
export type Listing = Map<string, string> | null

/** No checkpoint holds what git keeps for itself. */
export const GIT = '.git'

/** Lists a folder of a workspace. The root is the empty path. */
export function listFolder(root: string, folder: string, isHidden: (place: string) => boolean): Listing {
  const place = folder === '' ? root : `${root}/${folder}`
  try {
    const found = new Map<string, string>()
    for (const name of namesIn(place)) {
      if (name === GIT || isHidden(`${place}/${name}`)) continue
      const stat = statOf(`${place}/${name}`)
      if (stat !== null) found.set(name, markOf(stat))
    }
    return found
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENAMETOOLONG', 'ENOTDIR', 'ENOENT'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

/** Whether a mark is that of a folder. */
export function isFolderMark(mark: string): boolean {
  return mark.startsWith('d')
}

/** The path of a name in a folder. */
export function inside(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** How many files are in a folder and below, counted no further than `most`; with the folders of its first level by their names. */
export function countBelow(root: string, folder: string, most: number): number {
  let count = 0
  const folders = [folder]
  for (let at = folders.pop(); at !== undefined && count <= most; at = folders.pop()) {
    for (const entry of entriesOf(at === '' ? root : `${root}/${at}`)) {
      const name = textOfName(entry.name)
      if (name === GIT) continue
      count += 1
      if (entry.isDirectory()) folders.push(inside(at, name))
    }
  }
  return count
}

/** Names as the file system has them; most are text, which is read faster. */
function namesIn(place: string): string[] {
  const names = readdirSync(pathOfText(place))
  return names.some((name) => name.includes('\uFFFD')) ? readdirSync(pathOfText(place), { encoding: 'buffer' }).map(textOfName) : names
}

function entriesOf(place: string): Dirent<NonSharedBuffer>[] {
  try {
    return readdirSync(pathOfText(place), { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return [] // closed to us, or gone
  }
}
