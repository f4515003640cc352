import * as z from 'zod'
import { readPattern, isMeant } from './pattern.ts'

export type AllowedScope = z.infer<typeof AllowedScope>
export const AllowedScope = z.enum(['chat', 'project', 'always'])

/** A command that a person allowed from now on: it is not asked about again where it would have been. */
export type AllowedCommand = z.infer<typeof AllowedCommand>
export const AllowedCommand = z.object({
  id: z.string(),
  scope: AllowedScope,
  /** The thread of the chat, or the folder of the project; empty where it holds everywhere. */
  place: z.string(),
  /** The words it begins with; a star at the end stands for whatever follows. */
  pattern: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
})

/** What a question about a command offers to allow from now on. */
export type AskedCommand = z.infer<typeof AskedCommand>
export const AskedCommand = z.object({ patterns: z.array(z.string()).min(1), chat: z.string(), project: z.string() })

/** Whether every part of a command was allowed. One that names its program by a path counts only in the folder it was allowed in. */
export function isAllowed(command: string, inRoot: boolean, allowed: readonly AllowedCommand[]): boolean {
  return isMeant(
    command,
    inRoot,
    allowed.map(({ pattern }) => readPattern(pattern)),
  )
}
