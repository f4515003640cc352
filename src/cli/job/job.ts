import type { Command } from 'commander'
import { jobActs, jobReads } from '../../jobs/operations.ts'
import { addCommands } from '../operation-commands.ts'
import { jobArea, readerArea } from './area.ts'
import { actExtras, readExtras } from './extras.ts'
import { addStepCommands } from './steps.ts'

/** `troupe job …`: make a job, look at it, step it, decide about it, take its result. */
export function define(job: Command): void {
  addCommands(job, jobReads, readerArea, readExtras)
  addCommands(job, jobActs, jobArea, actExtras)
  addStepCommands(job)
  job.addHelpText('after', '\nWhere JOB is left out, TROUPE_JOB_ID names the job.')
}
