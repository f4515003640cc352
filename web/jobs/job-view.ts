import type { OperationOutput } from '../../src/api/operations.ts'

/** A job with everything its page shows. */
export type JobView = OperationOutput<'job.status'>
