import * as z from 'zod'
import { defineTool } from '../gate.ts'
import { gitOutput, pathspecs } from './output.ts'

/** Shows the branch and what is changed, staged or new. */
export const gitStatusTool = defineTool({
  name: 'git_status',
  description: 'Show the branch and what changed.',
  required_permissions: ['read_files'],
  input: z.strictObject({}),
  paths: () => ['.'],
  run: async (_, context) => {
    const output = await gitOutput(context, ['status', '--short', '--branch', '--untracked-files=normal', '--', ...pathspecs(context, '.')])
    const clean = output.trimEnd().split('\n').length === 1
    return { output: `${output.trimEnd()}${clean ? '\nnothing is changed' : ''}`, details: { clean } }
  },
})
