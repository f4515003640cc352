import { violation, type Violation } from '../../domain/board/rule.ts'
import type { Board } from '../../domain/board/board.ts'
import type { Task } from '../../domain/board/task.ts'
import { git } from '../../sandbox/git/git.ts'
import { tasks } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { fetchBranch } from '../../worktrees/remote.ts'
import { gitText, LIST_BYTES } from '../../worktrees/repository.ts'
import { isWorktree } from '../../worktrees/worktree.ts'
import type { BoardRepository } from '../desk.ts'
import { boardOf } from '../find.ts'
import { placeOf } from '../worktree/prepare.ts'
import { noIntegration } from '../goal/shared-branches.ts'

/** What git says about a board. */
export interface GitFindings {
  violations: Violation[]
  /** Work that was put aside, under refs of ours. */
  kept_refs: string[]
  /** Whether the integration branch holds a file. */
  specExists: ((path: string) => boolean) | null
}

/** Holds the record of a board against the branches and worktrees it speaks of. Nothing is moved. */
export async function validateGit(context: BoardRepository): Promise<GitFindings> {
  const { driver, board_id, repository } = context
  const board = await boardOf(context)
  const all = await tasks.items(driver, { where: { board_id }, order: ['number'] })
  const kept = await gitText(repository.root, ['for-each-ref', '--format=%(refname)', `refs/troupe/${board_id}/`])
  const kept_refs = kept === '' ? [] : kept.split('\n')
  const { integration_branch, remote } = board.config
  const head = await headOf(context, remote, integration_branch)
  if (head === null) return { violations: [violation(61, 'board', noIntegration(board.config).message)], kept_refs, specExists: null }
  const files = new Set(
    (await gitText(repository.root, ['ls-tree', '-r', '-z', '--name-only', head], { outputBytes: LIST_BYTES })).split('\0'),
  )
  const stray = await Promise.all(all.map((task) => strayWork(context, board, task)))
  return {
    violations: [...(await lostMerges(context, board, all, head)), ...stray.flat()],
    kept_refs,
    specExists: (path) => files.has(path),
  }
}

/** Where a branch stands: at the remote, where machines share one. */
async function headOf({ repository }: BoardRepository, remote: string | null, branch: string): Promise<string | null> {
  return remote === null ? branchHead(repository, branch) : fetchBranch(repository, remote, branch)
}

/** Merged work that is not on the integration branch any more, as after somebody reset it. */
async function lostMerges({ repository }: BoardRepository, { config }: Board, all: readonly Task[], head: string): Promise<Violation[]> {
  const merged = all.filter(({ status, merge_commit }) => status === 'MERGED' && merge_commit !== null)
  if (merged.length === 0) return []
  const commits = merged.map(({ merge_commit }) => merge_commit ?? '')
  const options = { outputBytes: LIST_BYTES }
  const known = await git(repository.root, ['cat-file', '--batch-check'], { stdin: `${commits.join('\n')}\n`, ...options })
  const missing = new Set(known.stdout.split('\n').flatMap((line) => (line.endsWith(' missing') ? line.split(' ')[0] : [])))
  const there = commits.filter((commit) => !missing.has(commit))
  const outside = await gitText(repository.root, ['rev-list', '--stdin'], { stdin: [...there, `^${head}`, ''].join('\n'), ...options })
  const lost = new Set([...missing, ...outside.split('\n')])
  return merged.flatMap(({ id, merge_commit, history }) => {
    const imported = history.some(({ event }) => event === 'imported') // merged in another repository, perhaps
    if (imported || !lost.has(merge_commit ?? '')) return []
    return [violation(61, id, `it was merged as ${merge_commit}, which ${config.integration_branch} does not contain`)]
  })
}

/** A branch or a worktree that is not where the record says. What another machine holds cannot be looked at here. */
async function strayWork(board: BoardRepository, { config }: Board, task: Task): Promise<Violation[]> {
  const { id, status, review_commit } = task
  const place = placeOf(board.repository.root, task)
  if (status === 'CLAIMED' && !task.preparing && config.remote === null) {
    if (await isWorktree(board.repository, place)) return []
    return [violation(62, id, `its worktree ${place.path} is not on the branch ${place.branch}`)]
  }
  if (status !== 'READY_FOR_REVIEW' && status !== 'APPROVED') return []
  const stands = await headOf(board, config.remote, place.branch)
  if (stands === review_commit) return []
  const where = stands === null ? 'is gone' : `is at ${stands}`
  return [violation(62, id, `its branch ${place.branch} ${where}, but ${review_commit} was submitted`)]
}
