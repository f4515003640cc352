import * as z from 'zod'
import type { NetworkRule } from './policy.ts'

/** A host somebody was not let to, as it would be in a list. */
const AskedHost = z.object({ host: z.string(), port: z.int() })

/** The hosts a question is about. `project` is the folder whose later runs an answer may hold for. */
export type AskedNetwork = z.infer<typeof AskedNetwork>
export const AskedNetwork = z.object({
  hosts: z.array(AskedHost).min(1),
  project: z.string(),
  used_at: z.iso.datetime().nullable().default(null),
})

/** The answers to it; words of one's own allow nothing. */
export const networkAnswers = { once: 'once', run: 'run', project: 'project', never: 'never' } as const

/** What a person settled about a host for all runs in a project. */
export type SettledHost = z.infer<typeof SettledHost>
export const SettledHost = z.object({
  id: z.string(),
  project: z.string(),
  host: z.string(),
  port: z.int(),
  allowed: z.boolean(),
  by: z.string(),
  at: z.iso.datetime(),
})

/** A host as a line of a list. */
export function hostRule({ host, port }: z.infer<typeof AskedHost>): NetworkRule {
  return { host, below: false, port }
}
