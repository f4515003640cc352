import * as z from 'zod'
import { Problem } from '../../domain/problem.ts'
import { changeAnswer, describeChange, recoverChange, replaceFile } from './file-change.ts'
import { defineTool } from '../gate.ts'
import { replaceExactly } from './replace-exactly.ts'
import { readTextFile } from './text-file.ts'
import type { ToolContext } from '../tool.ts'

/** Changes an existing file by replacing exact text. */
export const updateFileTool = defineTool({
  name: 'update_file',
  description:
    'Replace exact text in an existing file. old_text must occur exactly once, or set replace_all. Give it without line numbers.',
  required_permissions: ['read_files', 'write_files'],
  input: z.strictObject({
    path: z.string().min(1).describe('relative to the workspace'),
    old_text: z.string().min(1),
    new_text: z.string(),
    replace_all: z.boolean().default(false),
  }),
  paths: ({ path }) => [path],
  preview: async (input, context) => {
    const { bytes, after } = await updated(input, context)
    return describeChange(input.path, bytes, Buffer.from(after))
  },
  run: async (input, context, previewed) => {
    const { after } = await updated(input, context)
    return changeAnswer('updated', await replaceFile(context, after, previewed))
  },
  recover: (_, previewed, context) => recoverChange(context, previewed, 'updated'),
})

async function updated(input: { path: string; old_text: string; new_text: string; replace_all: boolean }, context: ToolContext) {
  const { bytes, text, faithful } = await readTextFile(context, input.path)
  if (!faithful) {
    throw new Problem('bad_input', `${input.path} is not UTF-8 throughout; writing it back would damage it, so it is left as it is`)
  }
  return { bytes, after: replaceExactly(text, input) }
}
