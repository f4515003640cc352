import { relative } from 'node:path'
import * as z from 'zod'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git.ts'
import type { ToolContext } from './tool.ts'

const OUTPUT_BYTES = 60_000

/** A commit, branch or range. It cannot start an option, and without a colon it cannot name a file past the check of paths. */
export const Revision = z
  .string()
  .max(200)
  .regex(/^[\w@][\w./@{}~^+-]*$/, 'a commit, branch or tag such as main, HEAD~2 or v1.0..HEAD')

/** What git prints for arguments of ours, or what it complained about. */
export async function gitText(
  { root, signal }: ToolContext,
  args: readonly [string, ...string[]],
  outputBytes = OUTPUT_BYTES,
): Promise<string> {
  const { exit_code, ended, stdout, stderr } = await git(root, args, { signal, outputBytes })
  if (ended === 'exited' && exit_code === 0) return stdout
  const complaint = stderr.trim().split('\n')[0] ?? ''
  throw new Problem('bad_input', `git ${args[0]} did not work: ${complaint === '' ? ended : complaint}`)
}

/** A checked path as git must take it: as it is written, whatever stars or brackets are in its name. */
export function pathspec({ root, place }: ToolContext, path: string): string {
  const inside = relative(root, place(path))
  return inside === '' ? '.' : `:(literal)${inside}`
}
