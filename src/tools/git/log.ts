import * as z from 'zod'
import { defineTool } from '../gate.ts'
import { gitOutput, pathspecs, Revision } from './output.ts'

/** Shows the history of the workspace or of one path. */
export const gitLogTool = defineTool({
  name: 'git_log',
  description: 'Show commits. files: with those each changed.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    path: z.string().min(1).default('.'),
    revision: Revision.default('HEAD'),
    author: z.string().max(200).optional(),
    message: z.string().max(200).optional(),
    files: z.boolean().default(false),
    max_count: z.int().min(1).max(200).default(20).meta({ untold: true }),
  }),
  paths: ({ path }) => [path],
  run: async ({ path, revision, author, message, files, max_count }, context) => {
    const output = await gitOutput(context, [
      'log',
      `--max-count=${max_count}`,
      '--date=short',
      '--format=%h %ad %an: %s',
      '--no-renames',
      '--relative',
      ...(files ? ['--name-status'] : []),
      ...(author === undefined ? [] : [`--author=${author}`]),
      ...(message === undefined ? [] : [`--grep=${message}`]),
      revision,
      '--',
      ...pathspecs(context, path),
    ])
    return { output: output === '' ? 'no commit fits' : output.trimEnd(), details: { path, revision } }
  },
})
