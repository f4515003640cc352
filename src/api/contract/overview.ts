import * as z from 'zod'
import { Need } from '../../domain/need.ts'

export const overviewContract = {
  status: {
    summary: 'What this server runs on: version, model, sandbox, store',
    reply: z.object({
      version: z.string(),
      model: z.string(),
      rehearsal: z.boolean(),
      sandbox: z.string(),
      store: z.enum(['sqlite', 'postgres']),
      workspace: z.string(),
    }),
  },
  listNeeds: { summary: 'Everything that waits for a person', reply: z.object({ needs: z.array(Need) }) },
}
