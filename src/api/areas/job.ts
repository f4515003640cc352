import type { JobPlays } from '../../jobs/background.ts'
import { tryInJobs } from '../../jobs/context.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'

/** The jobs of the store, looked after by the person who holds the token of the server. */
export function jobRoutes({ jobs }: ServerContext): HttpArea<JobPlays> {
  return {
    scope: {},
    within: ({ dry, signal }, work) => (dry ? tryInJobs({ ...jobs, signal }, work) : work({ ...jobs, signal })),
  }
}
