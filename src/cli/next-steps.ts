import { Problem, type Notice } from '../domain/problem.ts'

/** A problem as a person at a terminal reads it: what helps comes with the command to type. */
export async function withCommands(problem: Problem): Promise<Problem> {
  if (problem.next.length === 0) return problem
  const { code, message, details, next } = problem
  return new Problem(code, await noticeText({ text: message, next }), { details, next, cause: problem })
}

/** The same for something a person should know. */
export async function noticeText({ text, next = [] }: Notice): Promise<string> {
  if (next.length === 0) return text
  const [{ operations }, { suggested }] = await Promise.all([import('../api/operations.ts'), import('./operation-commands.ts')])
  return suggested(operations, { text, next })
}
