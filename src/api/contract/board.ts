import * as z from 'zod'

export const boardContract = {
  freeAgent: {
    summary: 'Free the id of an agent whose process is gone, and what it held; while its lease runs only by force, with a reason',
    body: z.strictObject({ force: z.boolean().default(false), reason: z.string().max(4_000).default('') }),
    reply: z.object({ tasks: z.array(z.string()) }),
  },
}
