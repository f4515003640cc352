import * as z from 'zod'

/** Something a person must do, wherever it came from. */
export type Need = z.infer<typeof Need>
export const Need = z.object({
  id: z.string(),
  kind: z.enum(['question', 'approval', 'plan', 'run', 'task', 'job', 'workflow']),
  title: z.string(),
  detail: z.string(),
  severity: z.enum(['critical', 'major', 'minor']),
  link: z.string(),
  at: z.iso.datetime(),
})

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
