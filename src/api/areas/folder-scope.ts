import * as z from 'zod'

/** What names a folder over HTTP. */
export const FolderScope = z.object({
  workspace: z.string().min(1).optional().describe('a folder; the one the server was started in when left out'),
})
