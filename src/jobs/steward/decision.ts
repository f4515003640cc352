import * as z from 'zod'
import { JobId, type Job } from '../../domain/job/job.ts'

/** Which job is meant. */
export const NamedJob = z.strictObject({ job: JobId.describe('the name of a job') })

/** What every decision of the Steward takes beside its own words: which job, and as it was read. */
export const JobDecision = NamedJob.extend({
  moves: z
    .int()
    .nonnegative()
    .optional()
    .describe('how many moves the job had made when you read it; once it has made others, nothing is decided'),
})

/** What the Steward says with a decision; whoever works next reads it. */
export const StewardNote = z.string().max(10_000).default('').describe('what the next agent reads in its prompt')

/** Where a decision led. */
export function tellJob({ id, status }: Pick<Job, 'id' | 'status'>): string {
  return `${id} is ${status}`
}
