import { lstatSync } from 'node:fs'

/** What is at a path, the link itself where it is one; `none` also where we cannot look. */
export function kindOf(path: string): 'none' | 'file' | 'folder' | 'link' {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return 'none' // most often; an error for it would take ten times as long
    if (stat.isSymbolicLink()) return 'link'
    return stat.isDirectory() ? 'folder' : 'file'
  } catch {
    return 'none'
  }
}
