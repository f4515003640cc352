import { git } from '../sandbox/git/git.ts'
import { LIST_BYTES } from './repository.ts'

/** The text of a file as a commit holds it, links inside the tree followed; null when the commit has no such file. */
export async function fileAtCommit(root: string, commit: string, path: string): Promise<string | null> {
  if (path.includes('\n')) return null // the question would be two
  const asked = { stdin: `${commit}:${path}\n`, outputBytes: LIST_BYTES }
  const { stdout, exit_code } = await git(root, ['cat-file', '--batch', '--follow-symlinks'], asked)
  const end = stdout.indexOf('\n')
  if (exit_code !== 0 || !/^[0-9a-f]+ blob \d+$/.test(stdout.slice(0, end))) return null
  return stdout.slice(end + 1, -1)
}
