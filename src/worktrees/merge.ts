import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git.ts'
import { authorEnvironment, type Author } from './commit.ts'
import { gitText, type Repository } from './repository.ts'

export type MergeResult =
  | { outcome: 'merged'; commit: string; drift_commits: number }
  | { outcome: 'conflict'; files: string[]; output: string }

/** What is merged onto what, and in whose name. */
export interface Merge {
  onto: string
  commit: string
  message: string
  author: Author
}

/**
 * Merges without any checkout and without moving any ref: the result is a commit nobody stands on yet, so that it can be
 * tested first. Always a merge commit: it is the record of who let the work in.
 */
export async function mergeCommits(repository: Repository, { onto, commit, message, author }: Merge): Promise<MergeResult> {
  const merged = await git(repository.root, ['merge-tree', '--write-tree', '--name-only', '-z', '--messages', onto, commit])
  if (merged.exit_code !== 0 && merged.exit_code !== 1) {
    throw new Problem('conflict', `git could not merge ${commit} onto ${onto}: ${merged.stderr.trim()}`)
  }
  const [tree = '', ...rest] = merged.stdout.split('\0')
  if (merged.exit_code === 1) return conflictOf(rest)
  const env = authorEnvironment(author)
  const made = await gitText(repository.root, ['commit-tree', '-p', onto, '-p', commit, '-F', '-', tree], { stdin: message, env })
  const drift = await gitText(repository.root, ['rev-list', '--count', `${commit}..${onto}`])
  return { outcome: 'merged', commit: made, drift_commits: Number(drift) }
}

/** After the tree come the names of the files in conflict, an empty field, then git's messages among their own fields. */
function conflictOf(fields: readonly string[]): MergeResult {
  const end = fields.indexOf('')
  const messages = fields.slice(end + 1).filter((field) => field.includes(' '))
  return { outcome: 'conflict', files: fields.slice(0, end), output: messages.join('').trim() }
}
