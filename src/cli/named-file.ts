import { readFile, writeFile } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'
import { unwritable } from '../sandbox/files/unwritable.ts'

/** The text of a file that was named on the command line; `right` says what to name instead of one that cannot be read. */
export async function readText(file: string, right: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Problem('not_found', `${file} cannot be read (${cause.code}); ${right}`, { cause })
  })
}

/** Writes a file that was named on the command line. */
export async function writeText(file: string, text: string, options: { mode?: number } = {}): Promise<void> {
  await writeFile(file, text, options).catch((cause: unknown) => {
    throw unwritable(file, cause)
  })
}
