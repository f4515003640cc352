import { asProblem } from '../../domain/problem.ts'

/** What a look at something came to; whatever is not good comes with the line that mends it. */
export type MachineCheck = { state: 'good'; found: string } | { state: 'warn' | 'bad'; found: string; fix: string }

/** One thing looked at. */
export type DoctorCheck = { what: string } & MachineCheck

/** A look that fails is itself what was found, and is mended by the line given here. */
export async function runCheck(what: string, at: () => Promise<MachineCheck>, fix: string): Promise<DoctorCheck> {
  try {
    return { what, ...(await at()) }
  } catch (error) {
    return { what, state: 'bad', found: asProblem(error).message, fix }
  }
}

export function good(found: string): MachineCheck {
  return { state: 'good', found }
}

export function warn(found: string, fix: string): MachineCheck {
  return { state: 'warn', found, fix }
}

export function bad(found: string, fix: string): MachineCheck {
  return { state: 'bad', found, fix }
}
