import * as z from 'zod'

/** One file of a range: how it changed and by how many lines; null for a binary file. */
export type ChangedFile = z.infer<typeof ChangedFile>
export const ChangedFile = z.object({
  path: z.string(),
  status: z.enum(['added', 'changed', 'deleted']),
  added: z.int().nullable(),
  removed: z.int().nullable(),
})

/** The same with what changed in it. */
export type FilePatch = z.infer<typeof FilePatch>
export const FilePatch = ChangedFile.extend({
  /** Null where the whole is too large to show at once; asked for by its name, a file is shown. */
  patch: z.string().nullable(),
})

/** One file instead of all, with every line of it: what a person opens around a change. */
export const oneFile = z.string().min(1).max(4_000).optional().describe('only this file, with all its lines')

/** The patches one after the other, as `git apply` takes them. */
export function patchText(files: readonly FilePatch[]): string {
  return files.map(({ path, patch }) => patch?.trimEnd() ?? `${path}: too large to show`).join('\n')
}
