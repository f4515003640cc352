import * as z from 'zod'
import { Severity } from './question.ts'

/** Something that waits for a person, wherever it came from. */
export type Need = z.infer<typeof Need>
export const Need = z.object({
  id: z.string(),
  kind: z.enum(['question', 'approval', 'plan', 'run', 'task', 'job', 'workflow']),
  title: z.string(),
  detail: z.string(),
  severity: Severity,
  link: z.string(),
  at: z.iso.datetime(),
})
