import type { Command } from 'commander'
import { defineLooking } from './job-look.ts'
import { defineMaking } from './job-make.ts'
import { defineResult } from './job-result.ts'
import { defineStepping } from './job-steps.ts'
import { defineStewardship } from './job-steward.ts'

/** `troupe job …`: make a job, look at it, step it, decide about it, take its result. */
export function define(job: Command): void {
  defineMaking(job)
  defineLooking(job)
  defineStepping(job)
  defineStewardship(job)
  defineResult(job)
  job.addHelpText('after', '\nWhere ID is left out, TROUPE_JOB_ID names the job.')
}
