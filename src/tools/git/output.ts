import { relative } from 'node:path'
import * as z from 'zod'
import { isInPaths } from '../../domain/bounds.ts'
import { Problem } from '../../domain/problem.ts'
import { git, gitCommand } from '../../sandbox/git/git.ts'
import { type GitPlace, gitPlace } from '../../sandbox/git/place.ts'
import { runCommand } from '../../sandbox/run-command.ts'
import type { CommandResult } from '../../sandbox/sandbox.ts'
import { isListed, mayHoldToken } from '../../sandbox/files/secret.ts'
import type { ToolContext } from '../tool.ts'

const OUTPUT_BYTES = 60_000
const TIMEOUT_MS = 120_000

/** A commit, branch or range. It cannot start an option, and without a colon it cannot name a file past the check of paths. */
export const Revision = z
  .string()
  .max(200)
  .regex(/^[\w@][\w./@{}~^+-]*$/, 'a commit, branch or tag such as main, HEAD~2 or v1.0..HEAD')

/** The commits a revision names, and nothing else: in a folder of a commit, named by its id, a secret has another path than the one that is checked. */
export function commitsOnly(revision: string): string {
  const ends = revision.split(/(\.{2,3})/)
  return ends.map((end) => (/^\.*$/.test(end) ? end : `${end}^{commit}`)).join('')
}

/** What git prints for arguments of ours, or what it complained about. */
export async function gitOutput(context: ToolContext, args: readonly [string, ...string[]], outputBytes = OUTPUT_BYTES): Promise<string> {
  const place = gitPlace(context.root)
  if (place === null) throw new Problem('bad_input', `git ${args[0]} did not work: ${context.root} is not inside a git repository`)
  const { exit_code, ended, stdout, stderr } = await readingGit(context, place, args, outputBytes)
  if (ended === 'exited' && exit_code === 0) return stdout
  const complaint = stderr.trim().split('\n')[0] ?? ''
  throw new Problem('bad_input', `git ${args[0]} did not work: ${complaint === '' ? ended : complaint}`)
}

/** A checked path as git must take it: as it is written, whatever stars or brackets are in its name. */
export function pathspec({ root, place }: ToolContext, path: string): string {
  const inside = relative(root, place(path))
  return inside === '' ? '.' : `:(literal)${inside}`
}

/** The same for whatever may be seen in a place: all of it, or what the role's globs name in it. */
export function pathspecs(context: ToolContext, path: string): string[] {
  const { root, place, bounds } = context
  const [globs, ...others] = bounds.read_paths
  if (globs === undefined || isInPaths(relative(root, place(path)), bounds.read_paths)) return [pathspec(context, path)]
  if (others.length > 0 || place(path) !== root)
    throw new Problem('denied', `git shows ${path} to this role only by a path inside its read_paths; name one of ${globs.join(', ')}`)
  return globs.flatMap((glob) => [glob, `${glob}/**`]).map((glob) => `:(glob)${glob.replaceAll(/[[\]]/g, String.raw`\$&`)}`)
}

/** Whether the past of a file is a secret: settings without a token today may have held one in an earlier commit. */
export function mayHaveHeldToken(path: string, { commands }: Pick<ToolContext, 'commands'>): boolean {
  return mayHoldToken(path) && !isListed(path, commands.allowedSecrets)
}

/** In the sandbox where there is one: a way to have git run or read something that nobody has thought of yet changes nothing there. */
async function readingGit(
  { root, sandbox, signal, prepared }: ToolContext,
  { top, gitDir, commonDir }: GitPlace,
  args: readonly [string, ...string[]],
  outputBytes: number,
): Promise<CommandResult> {
  // Named outright: a repository's own settings could lay its checkout over any folder of the machine.
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: top, GIT_COMMON_DIR: commonDir }
  if (sandbox.kind === 'none') return git(root, args, { env, signal, outputBytes })
  const command = await gitCommand(root, args, env)
  const mounts = [{ path: commonDir, access: 'read' as const }]
  return runCommand(
    { ...command, root, access: 'read', mounts, timeoutMs: TIMEOUT_MS, outputBytes, signal, ...(prepared && { prepared }) },
    sandbox,
  )
}
