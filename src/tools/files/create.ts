import { existsSync } from 'node:fs'
import * as z from 'zod'
import { Problem } from '../../domain/problem.ts'
import { changeAnswer, createFile, describeChange, recoverChange } from './file-change.ts'
import { defineTool } from '../gate.ts'

/** Makes a new file; it never touches one that is there. */
export const createFileTool = defineTool({
  name: 'create_file',
  description: 'Create a text file, with its folders.',
  required_permissions: ['read_files', 'create_files'],
  input: z.strictObject({
    path: z.string().min(1),
    content: z.string(),
  }),
  paths: ({ path }) => [path],
  changes: 'paths',
  preview: async ({ path, content }, { place }) => {
    if (existsSync(place(path))) throw new Problem('conflict', `${path} exists already; update_file changes an existing file`)
    return describeChange(path, null, Buffer.from(content))
  },
  run: async ({ content }, context, previewed) => changeAnswer('created', await createFile(context, content, previewed)),
  recover: (_, previewed, context) => recoverChange(context, previewed, 'created'),
})
