import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git/git.ts'
import { commitTree, type Author } from './commit.ts'
import { findCommit, gitProblem, LIST_BYTES, type Repository } from './repository.ts'
import { findSquashed } from './squashed.ts'

export type MergeResult = { outcome: 'merged'; commit: string } | { outcome: 'conflict'; files: string[]; output: string }

/** What is merged onto what, and in whose name. */
export interface Merge {
  onto: string
  commit: string
  message: string
  author: Author
}

/**
 * Merges without any checkout and without moving any ref: the result is a commit that no branch points at yet, so that it can be
 * tested first. Always a merge commit: it is the record of who let the work in.
 */
export async function mergeCommits(repository: Repository, { onto, commit, message, author }: Merge): Promise<MergeResult> {
  const merged = await mergeTrees(repository, onto, commit)
  if (merged.outcome === 'conflict') return merged
  return { outcome: 'merged', commit: await commitTree(repository.root, merged.tree, [onto, commit], message, author) }
}

type Conflict = Extract<MergeResult, { outcome: 'conflict' }>

async function mergeTrees(repository: Repository, onto: string, commit: string): Promise<{ outcome: 'merged'; tree: string } | Conflict> {
  const merged = await git(repository.root, ['merge-tree', '--write-tree', '--name-only', '-z', '--messages', onto, commit])
  if (merged.exit_code !== 0 && merged.exit_code !== 1) {
    throw gitProblem(repository.root, `git could not merge ${commit} onto ${onto}`, merged)
  }
  const [tree = '', ...rest] = merged.stdout.split('\0')
  return merged.exit_code === 1 ? conflictOf(rest) : { outcome: 'merged', tree }
}

/**
 * Merges another branch that may hold our work as other commits, squashed or rebased: where git alone sees a conflict, the two
 * are first taken for the same up to there.
 */
export async function mergeBranch(repository: Repository, merge: Merge): Promise<MergeResult> {
  const plain = await mergeCommits(repository, merge)
  if (plain.outcome === 'merged') return plain
  const { onto, commit, message, author } = merge
  const same = await findSquashed(repository.root, onto, commit)
  if (same === null) return plain
  // The same files on top of our own commit: merged with that, only what came after on either side counts.
  const twin = await commitTree(repository.root, `${same.theirs}^{tree}`, [same.ours], message, author)
  const joined = await mergeTrees(repository, onto, twin)
  if (joined.outcome === 'conflict') return joined
  const up = await commitTree(repository.root, joined.tree, [onto, same.theirs], message, author)
  return same.theirs === commit ? { outcome: 'merged', commit: up } : mergeCommits(repository, { ...merge, onto: up })
}

/** A commit that changes nothing, on top of another; no branch points at it yet. */
export async function emptyCommit({ root }: Repository, onto: string, message: string, author: Author): Promise<string> {
  return commitTree(root, `${onto}^{tree}`, [onto], message, author)
}

/** What a branch holds beyond a commit: how many others, and the merge on its own line that brought exactly this one in, if one did. */
export async function beyondCommit(root: string, commit: string, head: string): Promise<{ commits: number; merged_as: string | null }> {
  const listed = await git(root, ['rev-list', '--parents', head, `^${commit}`], { outputBytes: LIST_BYTES })
  if (listed.exit_code !== 0 && (await findCommit(root, commit)) !== null)
    throw new Problem('conflict', `git could not compare ${commit} with ${head}: ${listed.stderr.trim()}`)
  const lines = listed.stdout.split('\n').filter((line) => line !== '')
  const parents = new Map(lines.map((line) => [line.split(' ')[0], line.split(' ').slice(1)]))
  for (let at: string | undefined = head; at !== undefined; at = parents.get(at)?.[0]) {
    if (parents.get(at)?.[1] === commit) return { commits: parents.size, merged_as: at }
  }
  return { commits: parents.size, merged_as: null }
}

/** After the tree come the names of the files in conflict, an empty field, then git's messages: how many paths, the paths, a kind, the text. */
function conflictOf(fields: readonly string[]): Conflict {
  const end = fields.indexOf('')
  let output = ''
  for (let at = end + 1; at < fields.length;) {
    const text = at + Number(fields[at]) + 2
    output += fields[text] ?? ''
    at = text + 1
  }
  return { outcome: 'conflict', files: fields.slice(0, end), output: output.trim() }
}
