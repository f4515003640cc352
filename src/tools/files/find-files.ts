import * as z from 'zod'
import { isInPaths } from '../../domain/bounds.ts'
import { defineTool } from '../gate.ts'
import { filesBelow } from './ripgrep.ts'

/** Finds files by their names. */
export const findFilesTool = defineTool({
  name: 'find_files',
  description: 'Find files by glob.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    pattern: z.string().min(1).max(500),
    path: z.string().min(1).default('.'),
    max_results: z.int().min(1).max(1_000).default(200).meta({ untold: true }),
  }),
  paths: ({ path }) => [path],
  run: async ({ pattern, path, max_results }, context) => {
    const found = (await filesBelow(context, path, pattern)).filter((file) => isInPaths(file, context.bounds.read_paths)).toSorted()
    const shown = found.slice(0, max_results)
    const note = found.length > shown.length ? [`[${shown.length} of ${found.length} shown; narrow the pattern or path]`] : []
    return {
      output: shown.length === 0 ? `no file fits ${pattern}` : [...shown, ...note].join('\n'),
      details: { pattern, found: found.length, shown: shown.length },
    }
  },
})
