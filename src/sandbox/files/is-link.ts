import { lstatSync } from 'node:fs'

/** Whether a symbolic link is at a path; not where nothing does, or it cannot be looked at. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false // reading it says why
  }
}
