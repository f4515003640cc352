import { lstat, readlink } from 'node:fs/promises'
import * as z from 'zod'
import { changeAnswer, describeChange, recoverChange, removeFile } from './file-change.ts'
import { defineTool } from '../gate.ts'
import { readBytes } from './text-file.ts'

/** Deletes one file. A person is asked first, unless the approved plan named it or the user allowed it. */
export const deleteFileTool = defineTool({
  name: 'delete_file',
  description: 'Delete a file, if the user agrees.',
  required_permissions: ['read_files', 'delete_files'],
  input: z.strictObject({ path: z.string().min(1) }),
  paths: ({ path }) => [path],
  changes: 'paths',
  links: 'link',
  asks: true,
  preview: async ({ path }, context) => {
    const found = await lstat(context.place(path)).catch(() => null)
    const content = found?.isSymbolicLink() ? Buffer.from(await readlink(context.place(path))) : await readBytes(context, path)
    return describeChange(path, content, null)
  },
  run: async (_, context, previewed) => changeAnswer('deleted', await removeFile(context, previewed)),
  recover: (_, previewed, context) => recoverChange(context, previewed, 'deleted'),
})
