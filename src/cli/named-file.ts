import { readFile, writeFile } from 'node:fs/promises'
import { asProblem, Problem, systemCode } from '../domain/problem.ts'

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

/** Why a file that was named on the command line was not written; what has nothing to do with the file stays what it is. */
export function unwritable(file: string, cause: unknown): Problem {
  const problem = asProblem(cause)
  if (problem.code !== 'internal' || !(cause instanceof Error && 'syscall' in cause)) return problem
  return new Problem('bad_input', `${file} cannot be written (${systemCode(cause)}); name a file in a folder that is there and yours`, {
    cause,
  })
}
