import * as z from 'zod'
import { asProblem, type NextStep } from '../../domain/problem.ts'

/** One thing looked at; whatever is not good comes with what fixes it. */
export type DoctorCheck = z.infer<typeof DoctorCheck>
export const DoctorCheck = z.object({
  what: z.string(),
  state: z.enum(['good', 'warn', 'bad']),
  found: z.string(),
  fix: z.string().optional().describe('what to do about it, often a line for a shell'),
  next: z.array(z.object({ operation: z.string(), input: z.record(z.string(), z.unknown()).optional() })).optional(),
})

export type MachineCheck = Omit<DoctorCheck, 'what'>

/** What fixes something: words, and the operations that help. */
export interface Fix {
  fix?: string
  next?: NextStep[]
}

/** A check that fails is itself what was found, and is fixed as given here. */
export async function runCheck(what: string, at: () => Promise<MachineCheck>, fix: string | Fix): Promise<DoctorCheck> {
  try {
    return { what, ...(await at()) }
  } catch (error) {
    return { what, ...bad(asProblem(error).message, fix) }
  }
}

export function good(found: string): MachineCheck {
  return { state: 'good', found }
}

export function warn(found: string, fix: string | Fix): MachineCheck {
  return { state: 'warn', found, ...(typeof fix === 'string' ? { fix } : fix) }
}

export function bad(found: string, fix: string | Fix): MachineCheck {
  return { ...warn(found, fix), state: 'bad' }
}
