import * as z from 'zod'
import { defineTool } from './gate.ts'
import { globMatcher } from './glob.ts'
import { ripgrep } from './ripgrep.ts'

/** So many names are sorted; a tree in which more of them fit is cut unsorted, and says so. */
const COLLECTED = 50_000

/** Finds files by their names. */
export const findFilesTool = defineTool({
  name: 'find_files',
  description: 'Find files by a glob such as *.test.ts or src/**/*.{ts,tsx}. Ignored files are left out.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    pattern: z.string().min(1).max(500),
    path: z.string().min(1).default('.').describe('folder to look in'),
    max_results: z.int().min(1).max(1_000).default(200),
  }),
  paths: ({ path }) => [path],
  run: async ({ pattern, path, max_results }, context) => {
    const fits = await globMatcher(pattern)
    const found: string[] = []
    for await (const file of ripgrep(context, path, ['--files', '--null'], '\0')) {
      const relative = file.replace(/^\.\//, '')
      if (fits(relative)) found.push(relative)
      if (found.length > COLLECTED) break
    }
    const shown = found.toSorted().slice(0, max_results)
    const total = found.length > COLLECTED ? `more than ${COLLECTED}` : found.length
    const note = found.length > shown.length ? [`[${shown.length} of ${total} shown; narrow the pattern or path]`] : []
    return {
      output: shown.length === 0 ? `no file fits ${pattern}` : [...shown, ...note].join('\n'),
      details: { pattern, found: found.length, shown: shown.length },
    }
  },
})
