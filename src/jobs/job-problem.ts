import * as z from 'zod'
import { problems, type Problem, type ProblemCode } from '../domain/problem.ts'

/** Why something could not be done with one job of several. */
export type JobProblem = z.infer<typeof JobProblem>
export const JobProblem = z.object({
  job_id: z.string(),
  code: z.enum(Object.keys(problems) as ProblemCode[]), // the keys of that table are its codes
  message: z.string(),
})

export function problemOf(job_id: string, { code, message }: Problem): JobProblem {
  return { job_id, code, message }
}
