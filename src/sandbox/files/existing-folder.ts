import { statSync } from 'node:fs'
import { Problem } from '../../domain/problem.ts'
import { realOf } from '../git/place.ts'

/** The real path of a folder that was named, or a refusal. */
export function existingFolder(path: string): string {
  const found = realOf(path)
  if (found !== null && statSync(found).isDirectory()) return found
  throw new Problem('bad_input', `${path} is not a folder; name one that exists`)
}
