import type { Operation } from '../domain/operation.ts'
import { Problem, type NextStep } from '../domain/problem.ts'

/** A problem as a person at a terminal reads it: what helps comes with the command to type. */
export async function withCommands(problem: Problem): Promise<Problem> {
  if (problem.next.length === 0) return problem
  const [{ operations }, { exampleLine }] = await Promise.all([import('../api/operations.ts'), import('./operation-commands.ts')])
  const commandFor = ({ operation, input = {} }: NextStep): string[] => {
    const found = operations.find(({ name }: Operation) => name === operation)
    return found?.command === undefined ? [] : [`troupe ${exampleLine({ command: found.command, example: input })}`]
  }
  const { code, message, details, next } = problem
  const typed = next.flatMap(commandFor)
  const text = typed.length === 0 ? message : `${message.replace(/\.$/, '')}. Try: ${typed.join('; or: ')}`
  return new Problem(code, text, { details, next, cause: problem })
}
