import * as z from 'zod'

/** A limit that a provider or an outside agent says is reached. Everyone in the store who would ask it waits for the same time. */
export type Quota = z.infer<typeof Quota>
export const Quota = z.object({
  /** Whose limit it is: the name of a provider, or `agent/NAME`. */
  id: z.string(),
  message: z.string(),
  since: z.iso.datetime(),
  /** Nobody is sent there before. */
  resets_at: z.iso.datetime(),
  /** Nobody said when it ends, so it is tried now and then. */
  guessed: z.boolean(),
  /** How often it was reached again since it began. */
  tries: z.int().nonnegative().default(0),
  /** One agent tries whether the limit has ended; the others wait to see what comes of it. */
  trying: z.boolean().default(false),
  /** What a person chose to use meanwhile. */
  instead: z.string().nullable().default(null),
})

/** What a run waits for when a limit is reached. */
export type QuotaWait = z.infer<typeof QuotaWait>
export const QuotaWait = z.object({ account: z.string(), message: z.string(), resets_at: z.iso.datetime(), since: z.iso.datetime() })
