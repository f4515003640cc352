import { readFile } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'

/** The text of a file that was named on the command line; `right` says what to name instead of one that cannot be read. */
export async function readText(file: string, right: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Problem('not_found', `${file} cannot be read (${cause.code}); ${right}`, { cause })
  })
}
