import * as z from 'zod'

/** One file of a range: how it changed and by how many lines; null for a binary file. */
export type ChangedFile = z.infer<typeof ChangedFile>
export const ChangedFile = z.object({
  path: z.string(),
  status: z.enum(['added', 'changed', 'deleted']),
  added: z.int().nullable(),
  removed: z.int().nullable(),
})
