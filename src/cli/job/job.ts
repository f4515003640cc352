import type { Command } from 'commander'
import { defineLooking } from './look.ts'
import { defineMaking } from './make.ts'
import { defineResult } from './result.ts'
import { defineStepping } from './steps.ts'
import { defineStewardship } from './steward.ts'

/** `troupe job …`: make a job, look at it, step it, decide about it, take its result. */
export function define(job: Command): void {
  defineMaking(job)
  defineLooking(job)
  defineStepping(job)
  defineStewardship(job)
  defineResult(job)
  job.addHelpText('after', '\nWhere ID is left out, TROUPE_JOB_ID names the job.')
}
