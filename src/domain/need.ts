import * as z from 'zod'
import { Severity, type Question } from './question.ts'

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

/** What a question says in the list of all that waits; the list that shows it says where it is. */
export function questionNeed({ id, approval, content, created_at: at }: Question): Omit<Need, 'detail' | 'link'> {
  return { id, kind: approval === null ? 'question' : 'approval', title: content.question, severity: content.severity, at }
}
