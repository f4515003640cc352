import * as z from 'zod'
import { Problem } from '../../domain/problem.ts'
import { resolveInside } from '../../sandbox/files/path.ts'
import { defineTool } from '../gate.ts'
import { commitsOnly, gitOutput, mayHaveHeldToken, pathspec, Revision } from './output.ts'
import type { ToolContext } from '../tool.ts'

const NAMES_BYTES = 10_000_000

/** Shows what changed: in the workspace, in the index, or between two commits. */
export const gitDiffTool = defineTool({
  name: 'git_diff',
  description: 'Show what is uncommitted, staged, or between commits. summary: only counts.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    path: z.string().min(1).default('.'),
    from: Revision.optional(),
    to: Revision.optional(),
    staged: z.boolean().default(false),
    summary: z.boolean().default(false),
  }),
  paths: ({ path }) => [path],
  run: async ({ path, from, to, staged, summary }, context) => {
    const asked = [
      ...(staged ? ['--cached'] : []),
      ...[from, to].flatMap((revision) => (revision === undefined ? [] : commitsOnly(revision))),
    ]
    // Without renames: a secret that got another name would otherwise show up as the old side of it.
    const compared = ['--relative', '--no-renames', ...asked]
    const hidden = await secretsIn(
      await gitOutput(context, ['diff', '--name-only', '-z', ...compared, '--', pathspec(context, path)], NAMES_BYTES),
      context,
    )
    const shape = summary ? ['--stat'] : []
    const output = await gitOutput(context, [
      'diff',
      ...shape,
      ...compared,
      '--',
      pathspec(context, path),
      ...hidden.map((name) => `:(exclude,literal)${name}`),
    ])
    const note = hidden.length === 0 ? '' : `[${hidden.length} changed files are kept from every role]`
    return { output: [output.trimEnd() || 'no differences', note].filter(Boolean).join('\n'), details: { path, hidden: hidden.length } }
  },
})

async function secretsIn(names: string, context: ToolContext): Promise<string[]> {
  const { root, commands, bounds } = context
  const secrets: string[] = []
  for (const name of names.split('\0').filter(Boolean)) {
    const inside = await resolveInside(root, name, { use: 'read', allowedSecrets: commands.allowedSecrets, bounds }).catch(() => null)
    if (inside === null || mayHaveHeldToken(name, context)) secrets.push(name)
  }
  const garbled = secrets.find((name) => name.includes('\ufffd'))
  if (garbled === undefined) return secrets
  // Left out by a name that is not quite its own, its text would be shown.
  throw new Problem(
    'denied',
    `${garbled} is kept from every role, and its name is not UTF-8, so it cannot be left out; ask for another path`,
  )
}
