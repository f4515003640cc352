import { asProblem, Problem, systemCode } from '../../domain/problem.ts'

/** Why a file that a person named was not written; what has nothing to do with the file stays what it is. */
export function unwritable(file: string, cause: unknown): Problem {
  const problem = asProblem(cause)
  if (problem.code !== 'internal' || !(cause instanceof Error && 'syscall' in cause)) return problem
  return new Problem('bad_input', `${file} cannot be written (${systemCode(cause)}); name a file in a folder that is there and yours`, {
    cause,
  })
}
