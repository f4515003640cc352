import * as z from 'zod'

/** An agent that works at this moment, whichever way of working started it. */
export type Running = z.infer<typeof Running>
export const Running = z.object({
  id: z.string(),
  way: z.enum(['chat', 'board', 'job', 'workflow']),
  /** What it works on. */
  title: z.string(),
  /** Who works: an agent of a board by its id, anyone else by role. */
  agent: z.string(),
  agent_role: z.string(),
  /** The run it writes, where there is one already. */
  run_id: z.string().nullable(),
  /** The folder of the project. */
  workspace: z.string(),
  link: z.string(),
  since: z.iso.datetime(),
})

/** A folder that was worked in, and when last. */
export type UsedProject = z.infer<typeof UsedProject>
export const UsedProject = z.object({ workspace: z.string(), used_at: z.iso.datetime() })
