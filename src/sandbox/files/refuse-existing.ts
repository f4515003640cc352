import { statSync } from 'node:fs'
import { Problem } from '../../domain/problem.ts'

/** Refuses a file that is there already as the place to write something new: it may be somebody's work. A device is written to. */
export function refuseExisting(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Problem('conflict', `${file} is there already; choose another name`)
}
