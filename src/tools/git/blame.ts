import { relative } from 'node:path'
import * as z from 'zod'
import { Problem } from '../../domain/problem.ts'
import { defineTool } from '../gate.ts'
import { gitOutput, mayHaveHeldToken, Revision } from './output.ts'

/** Shows who last changed each line of a file. */
export const gitBlameTool = defineTool({
  name: 'git_blame',
  description: 'Show who last changed each line.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    path: z.string().min(1),
    revision: Revision.optional(),
    start_line: z.int().positive().default(1),
    end_line: z.int().positive().optional(),
  }),
  paths: ({ path }) => [path],
  run: async ({ path, revision, start_line, end_line }, context) => {
    const file = relative(context.root, context.place(path))
    if (mayHaveHeldToken(file, context))
      throw new Problem('denied', `the past of ${path} is kept from every role unless the user lists it under allowed_secrets`)
    const range = `-L${start_line},${end_line ?? ''}`
    const output = await gitOutput(context, ['blame', '--date=short', range, ...(revision === undefined ? [] : [revision]), '--', file])
    return { output: output.trimEnd(), details: { path } }
  },
})
